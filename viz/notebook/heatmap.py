"""One matrix of weights as a figure of plotly."""

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.figures.attention import attention_heatmap
from viz.figures.theme import DARK, LIGHT, Theme, styled
from viz.notebook.arrays import Floats, Given, numbers, shares
from viz.notebook.tokens import texts


def heatmap(
    weights: Given,
    queries: Sequence[str] = (),
    keys: Sequence[str] = (),
    title: str = "",
    dark: bool = False,
) -> go.Figure:
    """Draw one matrix of weights, on a scale from 0 to 1.

    Without tokens, it draws a map such as `translator.trace(a, b).encoder`, on a scale from -1 to
    1: rows and columns have numbers, and NaN stays blank.

    Args:
        weights: the weights (query, key), or the values of a map.
        queries: the tokens of the rows.
        keys: the tokens of the columns.
        title: the title of the figure.
        dark: whether the figure is for a dark page.

    Returns:
        The figure, as plotly has it.

    Raises:
        ValueError: the tokens do not fit the shape or are not texts, or weights are not from 0
            to 1.

    >>> heatmap([[0.5, 0.5]], ["x"], ["a", "b"], "One query").layout.title.text
    'One query'

    """
    theme = DARK if dark else LIGHT
    if len(queries) or len(keys):
        given = shares("weights", weights), texts(queries), texts(keys)
        figure = attention_heatmap(*given, title, theme)
    else:
        figure = _map(numbers("values", weights), title, theme)
    return figure.update_layout(paper_bgcolor=theme.background, plot_bgcolor=theme.background)


def _map(values: Floats, title: str, theme: Theme) -> go.Figure:
    scale = {"colorscale": [list(stop) for stop in theme.diverging], "zmin": -1, "zmax": 1}
    figure = go.Figure(go.Heatmap(z=values, x0=1, y0=1, xgap=1, ygap=1, **scale))
    figure.update_xaxes(dtick=1, side="top", showgrid=False)
    figure.update_yaxes(dtick=1, autorange="reversed", showgrid=False)
    height = 120 + 24 * len(values)
    return styled(figure.update_layout(title={"text": title}), theme, height)
