"""Two sentences that differ in one word, and the head that tells them apart.

Below are the lessons.
"""
