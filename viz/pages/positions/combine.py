"""Positions added to embeddings, or put beside them: what both cost and how they differ.

The dot product of two concatenated vectors is x.x' + p.p'. The dot product of two sums also has the
cross terms x.p' + p.x', which are small if embeddings and positions are nearly orthogonal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.cosines import cosines
from viz.figures.labels import named_cells, token_label, token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import Theme, signed_axis, styled
from viz.language.text import _

Array = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Combined:
    """The two choices on one sentence of n pieces.

    `added` and `concatenated` (n, n) are cosines between pieces. `correlation` compares the two
    over pairs of different pieces, NaN if it is not defined. `cross` is the mean size of the cosine
    between an embedding and a position.
    """

    added: Array
    concatenated: Array
    correlation: float
    cross: float


def combine(embeddings: Array, positions: Array) -> Combined:
    """Compare the sum and the concatenation of embeddings (n, D) and positions (n, D)."""
    x, p = np.asarray(embeddings, dtype=np.float64), np.asarray(positions, dtype=np.float64)
    added = cosines(x + p)
    concatenated = cosines(np.concatenate([x, p], axis=1))
    pairs = np.triu_indices(len(x), k=1)
    correlation = _correlation(added[pairs], concatenated[pairs])
    lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(p, axis=1))
    cross = float(np.abs(x @ p.T / np.maximum(lengths, 1e-12)).mean())
    return Combined(added, concatenated, correlation, cross)


def _correlation(first: Array, second: Array) -> float:
    if len(first) < 2 or np.ptp(first) < 1e-9 or np.ptp(second) < 1e-9:
        return np.nan
    return float(np.corrcoef(first, second)[0, 1])


@dataclass(frozen=True)
class Sizes:
    """The input width of the first layer's W_Q, W_K and W_V, and their number of weights."""

    width: int
    weights: int


def sizes(d_model: int, d_position: int) -> tuple[Sizes, Sizes]:
    """Return the sizes with the position added, and with it concatenated."""
    joint = d_model + d_position
    return Sizes(d_model, 3 * d_model * d_model), Sizes(joint, 3 * joint * d_model)


def combine_figure(combined: Combined, tokens: Sequence[str], theme: Theme) -> go.Figure:
    """Draw how alike the pieces are with positions added, and with positions concatenated."""
    names = _("added: x + p"), _("concatenated: [x ; p]")
    figure = subplots(1, 2, subplot_titles=list(names), horizontal_spacing=0.12)
    labels = [token_label(token) for token in tokens]
    ticks = token_ticks(tokens)
    for column, values in enumerate((combined.added, combined.concatenated), start=1):
        figure.add_heatmap(
            z=values.astype(np.float32),
            coloraxis="coloraxis",
            xgap=1,
            ygap=1,
            customdata=named_cells(labels, labels),
            hovertemplate="%{customdata[0]} | %{customdata[1]}: %{z:.2f}<extra></extra>",
            row=1,
            col=column,
        )
    figure.update_xaxes(ticks, tickangle=-45, title=_("piece"))
    figure.update_yaxes(ticks, autorange="reversed")
    figure.update_yaxes(title=_("piece"), row=1, col=1)
    figure.update_layout(coloraxis=signed_axis(theme, _("cosine")))
    return styled(figure, theme, 500)
