"""The link of the page on screen: its parameters, the times it counts, and its choices."""
