"""The decoder at work: the translation, written one piece at a time."""
