"""The first page: one word changes, and another one is looked at."""
