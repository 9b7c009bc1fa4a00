"""Positions: the sinusoids, and their uses."""
