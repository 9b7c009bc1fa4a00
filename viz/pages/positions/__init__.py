"""The sinusoids, learned and rotary positions, and each beyond the length of training."""
