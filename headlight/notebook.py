"""Attention in a notebook, offline: `from headlight.notebook import explorer, decoder, heatmap`."""

from viz.notebook import decoder, explorer, heatmap

__all__ = ["decoder", "explorer", "heatmap"]
