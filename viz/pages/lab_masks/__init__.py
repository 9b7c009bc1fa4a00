"""Lift a mask, hide a word from everybody, or forbid links by hand.

Also windows, padding, and a decoder that was trained without its mask.
"""
