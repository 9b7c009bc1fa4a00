"""Two sentences that differ in one word, or two of your own, and the head that tells them apart.

Below are the lessons.
"""
