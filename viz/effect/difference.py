"""A heatmap of signed differences of attention: after minus before, or between two sentences."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.attention import query_key_heatmap, titled
from viz.figures.labels import token_label
from viz.figures.theme import Theme
from viz.language.text import _

SMALLEST_RANGE = 0.05
"""The smallest end of the scale, so that rounding errors do not fill the picture."""

LONGEST = 22
"""The most letters of a label, which may be a whole clause where two sentences differ."""

UNSEEN = 5e-4
"""The size below which a change counts as none, as it would be shown as 0.000."""


def reach(change: NDArray[np.float32]) -> float:
    """Return the distance from 0 to either end of the scale."""
    largest = float(np.nanmax(np.abs(change), initial=0))
    return max(SMALLEST_RANGE, largest)


def is_seen(change: NDArray[np.float32]) -> bool:
    """Tell whether any difference is large enough to be seen; NaN counts as no difference."""
    return bool(np.nanmax(np.abs(change), initial=0) >= UNSEEN)


def rows(change: NDArray[np.float32]) -> list[list[float | None]]:
    """Return differences (query, key) row by row; None for NaN."""
    return [[None if np.isnan(value) else float(value) for value in row] for row in change]


def difference_heatmap(
    change: NDArray[np.float32],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    theme: Theme,
    after: bool = False,
) -> go.Figure:
    """Draw differences of weights (query, key) on a scale centred at 0; NaN stays blank.

    Queries of a decoder look `after` reading the piece that names their row: the axis says so.

    Raises ValueError when the tokens do not fit the shape.
    """
    most = reach(change)
    figure = query_key_heatmap(change, queries, keys, _("change"), theme.diverging, "+.3f")
    figure.update_traces(zmin=-most, zmax=most, colorbar={"tickformat": "+.2f"})
    figure.update_xaxes(ticktext=[token_label(cut(key)) for key in keys])
    figure.update_yaxes(ticktext=[token_label(cut(query)) for query in queries])
    if after:
        figure.update_yaxes(title_text=after_reading())
    return titled(figure, title, theme, keys, len(queries))


def after_reading() -> str:
    """Name the axis of a decoder's queries."""
    return _("query: after reading …")


def cut(token: str, longest: int = LONGEST) -> str:
    """Cut a token to at most `longest` letters, so that the cells have room."""
    return token if len(token) <= longest else f"{token[: longest - 1]}…"
