"""Take away the division of scores, or change the positions, and compare before and after.

Queries and keys can come from one matrix.
"""
