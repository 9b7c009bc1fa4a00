"""Two words with numbers to type, the root of d_k, and room for directions."""
