"""Writing French: the translation written one piece at a time."""
