"""All layers and heads of one recording as lines, grid or matrix, at the speed of the mouse.

Two heads, or two sentences, stand side by side.
"""
