"""Decoding: generators over a scorer of what comes next. No text, no Transformer in here."""
