"""What training does, on one sentence: the real loss, schedule and optimizers, on a copy."""
