"""What if: masks, heads, scale and positions, minimal pairs."""
