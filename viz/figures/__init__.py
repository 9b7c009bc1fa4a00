"""Figures: numpy in, go.Figure out."""
