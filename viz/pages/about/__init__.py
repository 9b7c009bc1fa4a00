"""About the model: its quality, its heads and its training."""
