"""Two models beside each other on the same sentence."""
