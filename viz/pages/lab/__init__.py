"""The pages of "Break it": masks, heads, blocks, scale and positions, two sentences."""
