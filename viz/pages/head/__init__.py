"""One head: from x to W_O in numbers."""
