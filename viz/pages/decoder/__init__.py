"""The translation, written one piece at a time, or differently: forcing, beam, sampling.

Also the cache between steps, and fewer keys and values.
"""
