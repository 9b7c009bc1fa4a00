"""Carry one vector from one sentence into the other, to see where it changes the answer.

It can be any token's vector at any layer. Or set the weights of a head by hand.
"""
