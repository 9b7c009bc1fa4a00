"""The link of the page on screen: all its parameters, when it counts, and what it chose."""
