"""Training a Translator from sentence pairs, and measuring it."""
