"""One matrix of weights as a figure of plotly."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.attention import attention_heatmap
from viz.figures.theme import DARK, LIGHT
from viz.notebook.arrays import shares, texts


def heatmap(
    weights: NDArray[np.floating],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str = "",
    dark: bool = False,
) -> go.Figure:
    """Draw weights (query, key) on one scale from 0 to 1.

    Raises ValueError when the tokens do not fit the shape or are no texts, or the weights are not
    from 0 to 1.
    """
    theme = DARK if dark else LIGHT
    given = shares("weights", weights), texts(queries), texts(keys)
    figure = attention_heatmap(*given, title, theme)
    return figure.update_layout(paper_bgcolor=theme.background, plot_bgcolor=theme.background)
