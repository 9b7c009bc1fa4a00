"""How the sentence is cut, what a limit of length cuts off, and what its pieces become.

It can be cut otherwise, or into pieces learned from a text of yours. Each piece is a vector with
neighbours on a map.
"""
