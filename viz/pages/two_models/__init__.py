"""The same sentence through two models: their different words, and their attention."""
