"""The figure of how alike two positions are: their dot product by their distance."""

import numpy as np
import plotly.graph_objects as go

from viz.figures.theme import HEAD_COLOURS, KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.positions.table import Array, dot_products


def products_from(table: Array, position: int) -> tuple[Array, Array]:
    """Return the distances k (P,) of all rows of a table from one row, and the dot products.

    Raises ValueError when there is no such row.
    """
    if not 0 <= position < len(table):
        raise ValueError(f"position must be 0 to {len(table) - 1}, not {position}")
    return np.arange(len(table), dtype=np.float64) - position, table @ table[position]


def products_figure(
    table: Array, position: int, base: float, reach: int, theme: Theme
) -> go.Figure:
    """Draw PE(p) . PE(p + k) for a position p of the table (P, D), on the curve of every p.

    Distances k go up to `reach`. Raises ValueError when there is no position p.
    """
    width = table.shape[1]
    fine = np.linspace(-reach, reach, 8 * reach + 1)
    distances, products = products_from(table, position)
    shown = np.abs(distances) <= reach
    figure = go.Figure()
    figure.add_scatter(
        x=fine,
        y=dot_products(fine, width, base),
        mode="lines",
        line={"color": HEAD_COLOURS[7], "width": 2},
        hoverinfo="skip",
        name=_("by the formula, for any p"),
    )
    figure.add_scatter(
        x=distances[shown],
        y=products[shown],
        mode="markers",
        marker={
            "color": [QUERY if distance else KEY for distance in distances[shown]],
            "size": 8 if reach <= 40 else 5,
        },
        hovertemplate="k = %{x}: %{y:.2f}<extra></extra>",
        name=_("from the table, p = {position}").format(position=position),
    )
    figure.update_xaxes(title=_("distance k"), range=[-reach - 0.5, reach + 0.5])
    figure.update_yaxes(title=_("PE(p) . PE(p + k)"))
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 430)
