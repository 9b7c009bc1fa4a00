"""Figures of a piece on its way into the model: its row of the table, scaled, plus its position."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_ticks
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, VALUE, Theme, styled
from viz.language.text import _

Array = NDArray[np.floating]


def input_rows(row: Array, position: Array, scaled: bool = True) -> Array:
    """Return (4, D): the piece's row (D,), the row times √D, the position (D,), and the sum.

    In a model whose embeddings are not `scaled`, returns (3, D), without the row times √D.
    """
    if not scaled:
        return np.stack([row, position, row + position])
    larger = row * np.sqrt(len(row))
    return np.stack([row, larger, position, larger + position])


def embedding_strips(
    rows: Array, labels: Sequence[str], theme: Theme, stronger: float = 1
) -> go.Figure:
    """Draw vectors (n, D) as strips on one scale, so that their sizes can be compared.

    The first vector would be too faint, so its colours, but not its numbers, are `stronger` by this
    factor. Raises ValueError when the labels do not fit the rows.
    """
    if len(labels) != len(rows):
        raise ValueError(f"{len(labels)} labels given for {len(rows)} rows")
    most = float(np.abs(rows).max()) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=np.vstack([rows[:1] * stronger, rows[1:]]).astype(np.float32),
            customdata=rows.astype(np.float32),
            y=list(range(len(rows))),
            zmin=-most,
            zmax=most,
            ygap=6,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": _("value")}, "thickness": 14},
            hovertemplate=f"{_('dimension')} %{{x}}: %{{customdata:.3f}}<extra></extra>",
        )
    )
    figure.update_xaxes(title=_("dimension"), showgrid=False)
    figure.update_yaxes(
        autorange="reversed",
        tickvals=list(range(len(rows))),
        ticktext=list(labels),
        showgrid=False,
    )
    return styled(figure, theme, 110 + 56 * len(rows))


def norm_bars(
    tokens: Sequence[str],
    embeddings: Array,
    positions: Array,
    chosen: int,
    theme: Theme,
    scaled: bool = True,
) -> go.Figure:
    """Draw the lengths of each piece's embedding (n, D), perhaps `scaled`, and position (n, D)."""
    numbers = list(range(len(tokens)))
    figure = go.Figure()
    for vectors, name, colour in (
        (embeddings, _("embedding, scaled") if scaled else _("embedding"), VALUE),
        (positions, _("position"), HEAD_COLOURS[7]),
    ):
        figure.add_bar(
            x=numbers,
            y=np.linalg.norm(vectors, axis=-1),
            name=name,
            marker={
                "color": colour,
                "line": {
                    "color": theme.text,
                    "width": [2 if number == chosen else 0 for number in numbers],
                },
            },
            hovertemplate="%{y:.2f}<extra></extra>",
        )
    figure.update_xaxes(
        **token_ticks(tokens),
        tickangle=-45,
    )
    figure.update_yaxes(title=_("length of the vector"))
    figure.update_layout(legend=LEGEND_ABOVE, bargap=0.25)
    return styled(figure, theme, 330)
