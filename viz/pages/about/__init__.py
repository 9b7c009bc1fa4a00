"""About the model: its sizes, its quality, its heads and its training."""
