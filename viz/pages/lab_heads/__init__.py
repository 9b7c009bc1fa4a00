"""Break it: heads that are switched off, alone and together."""
