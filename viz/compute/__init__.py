"""The questions that pages ask the model; all functions with a cache are here."""
