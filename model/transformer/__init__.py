"""The network of the paper."""
