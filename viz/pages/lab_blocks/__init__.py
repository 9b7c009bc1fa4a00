"""Leave out a sublayer, a norm, a residual connection or a whole layer.

It shows what each part is worth for this sentence.
"""
