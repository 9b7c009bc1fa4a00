"""Decoding: generators over a scorer of the next piece, without any text or Transformer."""
