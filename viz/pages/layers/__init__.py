"""Through the layers: the architecture, and one token's vector on its way through."""
