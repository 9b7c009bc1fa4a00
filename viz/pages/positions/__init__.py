"""Positions: the sinusoids and their uses, learned and rotary positions, and longer texts."""
