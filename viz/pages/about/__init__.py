"""About the model: how good it is, what its heads do, how it was trained."""
