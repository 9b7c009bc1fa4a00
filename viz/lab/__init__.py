"""The laboratory's panels: what can be changed, and what the change does."""
