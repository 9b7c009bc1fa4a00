"""Attention in a notebook, offline: `from viz.notebook import explorer, decoder, heatmap`."""

from viz.notebook.bertviz import head_view, model_view
from viz.notebook.explorer import Explorer
from viz.notebook.heatmap import heatmap
from viz.notebook.steps import decoder

explorer = Explorer

__all__ = ["decoder", "explorer", "head_view", "heatmap", "model_view"]
