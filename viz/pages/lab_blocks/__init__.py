"""Break it: sublayers, norms, residual connections and whole layers that are left out."""
