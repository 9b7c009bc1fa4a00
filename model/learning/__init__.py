"""The parts of training on one sentence: the real loss, schedule and optimizers, on a copy."""
