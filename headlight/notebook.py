"""Attention in a notebook, offline: `from headlight.notebook import explorer, decoder, heatmap`."""

from viz.notebook import decoder, explorer, head_view, heatmap, model_view

__all__ = ["decoder", "explorer", "head_view", "heatmap", "model_view"]
