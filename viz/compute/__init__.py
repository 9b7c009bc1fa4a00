"""The only cached functions: what the pages ask of the model."""
