"""Small numbers: two words by hand, why scores are divided, and how much room there is."""
