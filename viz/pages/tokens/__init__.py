"""Tokens and embeddings: how the sentence is cut, neighbours, a map."""
