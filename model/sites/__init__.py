"""The names of the tensors in a model, and the tap that they pass through."""
