"""Trace: one vector at a time is carried from one sentence into the other."""
