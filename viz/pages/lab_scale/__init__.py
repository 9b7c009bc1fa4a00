"""Break it: scores without their division, positions that are changed, and tied matrices."""
