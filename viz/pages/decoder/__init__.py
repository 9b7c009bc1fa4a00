"""Step by step: the translation written one piece at a time."""
