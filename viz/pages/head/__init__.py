"""From x to W_O in this sentence's own numbers, played step by step.

All weights of the head are an exact heatmap.
"""
