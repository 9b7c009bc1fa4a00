"""Decoding: generators over a scorer of the next piece. It knows no text and no Transformer."""
