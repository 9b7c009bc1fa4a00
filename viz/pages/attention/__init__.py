"""Attention: all layers and heads of one recording, in the explorer."""
