"""What a change of the model does to its translation and its attention: parts of several pages."""
