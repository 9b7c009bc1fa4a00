"""The names of the tensors that pass in a model, and the tap that they pass through."""
