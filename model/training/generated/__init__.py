"""Sentence pairs made by rules, for what real pairs teach too rarely."""
