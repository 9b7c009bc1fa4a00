"""One recorded pass, and the history of a training, as frozen numpy."""
