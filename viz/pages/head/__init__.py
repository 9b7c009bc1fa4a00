"""One head: its numbers from x to W_O."""
