"""Positions: the sinusoids, and what the model does without them."""
