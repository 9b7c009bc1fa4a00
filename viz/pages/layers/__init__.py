"""The architecture to click, with its code, and a token's way through it.

There are also the logit lens, costs and all shapes.
"""
