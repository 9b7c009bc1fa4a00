"""Its quality, the roles of its heads, its training, and the cost of fewer bits and weights."""
