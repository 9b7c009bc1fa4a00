"""One recorded pass, and the history of a training run, as frozen numpy."""
