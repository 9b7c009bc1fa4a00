"""One block in numbers: add & norm, feed-forward, heads split and merged, a batch with padding."""
