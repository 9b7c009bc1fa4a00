"""Translation: pieces, one head as a heatmap, the shapes of everything."""
