"""The translation, written piece by piece, or differently: forcing, beam, sampling.

There are also the cache between steps, and fewer keys and values.
"""
