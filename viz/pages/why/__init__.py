"""A score and a logit as exact sums of parts; one word in two meanings."""
