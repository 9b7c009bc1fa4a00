"""Scores and logits as exact sums: why a head looks there, and which head wrote a word."""
