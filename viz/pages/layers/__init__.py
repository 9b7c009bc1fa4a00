"""Through the layers: the architecture and a token's way through it."""
