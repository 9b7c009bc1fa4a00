"""Lift a mask, hide a word from all queries, or forbid links by hand.

Also windows, padding, and a decoder that was trained without its mask.
"""
