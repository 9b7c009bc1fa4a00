"""One head, step by step: from x to W_O in numbers."""
