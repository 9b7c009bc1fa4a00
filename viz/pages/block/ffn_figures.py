"""Figures of a feed-forward network: the hidden vector around the activation, and the matrices."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.subplots import subplots
from viz.figures.theme import Theme, styled
from viz.language.text import _

COLUMNS, LARGEST = 64, 64
"""The units in a row of the grid; a quarter of the most rows or columns that a matrix shows."""


def hidden_figure(
    before: NDArray[np.floating],
    after: NDArray[np.floating],
    activation: str,
    unit: int,
    theme: Theme,
) -> go.Figure:
    """Draw a token's hidden vector (F,) before and after the activation, one unit framed.

    Both are grids; the titles use the config's name of the activation.
    """
    functions = {"relu": ("ReLU", "max(0, ·)"), "none": ("f(h) = h", "·")}
    name, function = functions.get(activation, (activation, f"{activation}(·)"))
    figure = subplots(
        1,
        2,
        subplot_titles=[
            _("before {activation}: x W₁ + b₁").format(activation=name),
            _("after: {function}").format(function=function),
        ],
        horizontal_spacing=0.04,
        shared_yaxes=True,
    )
    rows = -(-len(before) // COLUMNS)
    most = float(np.abs(before).max(initial=1e-9))
    numbers = np.arange(1, rows * COLUMNS + 1).reshape(rows, COLUMNS)
    for column, values in enumerate((before, after), start=1):
        padded = np.full(rows * COLUMNS, np.nan)
        padded[: len(values)] = values
        figure.add_heatmap(
            z=padded.reshape(rows, COLUMNS),
            customdata=numbers,
            zmin=-most,
            zmax=most,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"thickness": 12},
            showscale=column == 1,
            hovertemplate=f"{_('unit')} %{{customdata}}: %{{z:.3f}}<extra></extra>",
            row=1,
            col=column,
        )
        _frame(figure, unit, column, theme)
    figure.update_xaxes(showticklabels=False, showgrid=False)
    figure.update_yaxes(autorange="reversed", showticklabels=False, showgrid=False)
    return styled(figure, theme, 280)


def _frame(figure: go.Figure, unit: int, column: int, theme: Theme) -> None:
    """Frame a unit in the grid of a column of the figure."""
    down, across = divmod(unit, COLUMNS)
    corners = {"x0": across - 0.5, "x1": across + 0.5, "y0": down - 0.5, "y1": down + 0.5}
    line = {"color": theme.text, "width": 2}
    figure.add_shape(type="rect", line=line, row=1, col=column, **corners)


def matrices_figure(
    first: NDArray[np.floating], second: NDArray[np.floating], unit: int, theme: Theme
) -> go.Figure:
    """Draw W1 (D, F) and W2 (F, D), thinned, and mark the column and the row of a unit."""
    titles = [f"{name}: {a} × {b}" for name, (a, b) in (("W₁", first.shape), ("W₂", second.shape))]
    figure = subplots(1, 2, subplot_titles=titles, horizontal_spacing=0.06)
    most = float(np.quantile(np.abs(first), 0.999)) or 1e-9
    for column, matrix in enumerate((first, second), start=1):
        down, across = (max(1, -(-size // (4 * LARGEST))) for size in matrix.shape)
        figure.add_heatmap(
            z=matrix[::down, ::across].astype(np.float32),
            x=np.arange(1, matrix.shape[1] + 1, across),
            y=np.arange(1, matrix.shape[0] + 1, down),
            zmin=-most,
            zmax=most,
            showscale=column == 1,
            colorbar={"thickness": 12},
            colorscale=[list(stop) for stop in theme.diverging],
            hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
            row=1,
            col=column,
        )
    line = {"color": theme.text, "width": 2}
    figure.add_shape(
        type="line", x0=unit + 1, x1=unit + 1, y0=1, y1=len(first), line=line, row=1, col=1
    )
    figure.add_shape(
        type="line", x0=1, x1=second.shape[1], y0=unit + 1, y1=unit + 1, line=line, row=1, col=2
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return styled(figure, theme, 330)
