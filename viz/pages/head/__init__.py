"""From x to W_O in this sentence's own numbers, played link by link.

All weights of the head are an exact heatmap.
"""
