"""Break it: masks, hidden words, windows, and a decoder that was trained to cheat."""
