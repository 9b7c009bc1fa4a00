"""One training example, teacher forcing, and steps of descent here and now.

Also optimizers, dropout, BLEU worked out, and a head being born.
"""
