"""One training example, teacher forcing, and steps of descent here and now.

There are also optimizers, dropout, BLEU worked out, and a head being born.
"""
