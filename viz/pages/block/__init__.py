"""Add & norm and feed-forward by numbers, heads split and merged, a batch with padding."""
