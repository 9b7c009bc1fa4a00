"""What happens before a page runs: the warm-up, and who may ask for what."""
