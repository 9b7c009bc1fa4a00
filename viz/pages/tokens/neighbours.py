"""The neighbours of a piece: pieces whose embeddings point in nearly the same direction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import Number, token_ticks
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _

Array = NDArray[np.floating]
Side = Literal["source", "target", "both", "neither"]
SIDE_COLOURS: dict[Side, str] = {
    "source": QUERY,
    "target": HEAD_COLOURS[1],
    "both": HEAD_COLOURS[2],
    "neither": HEAD_COLOURS[7],
}


def side_names() -> dict[Side, str]:
    """Return the texts that say where a piece occurs."""
    return {
        "source": _("in the sentence"),
        "target": _("in the translation"),
        "both": _("in both"),
        "neither": _("elsewhere in the vocabulary"),
    }


def side_of(id_: int, source: Collection[int], target: Collection[int]) -> Side:
    """Return in which of the two sentences, given as ids, a piece occurs."""
    if id_ in source:
        return "both" if id_ in target else "source"
    return "target" if id_ in target else "neither"


@dataclass(frozen=True)
class Neighbour:
    """A piece by its id, and its cosine to the piece in question."""

    id: int
    cosine: float


def nearest(
    units: Array, ids: Sequence[int], count: int, ignored: Collection[int] = ()
) -> list[list[Neighbour]]:
    """Return, for each id, the `count` pieces of largest cosine, except itself and `ignored`.

    `units` (V, D) has rows of length 1.
    """
    cosines = units[list(ids)] @ units.T  # n V
    cosines[:, list(ignored)] = -np.inf
    cosines[np.arange(len(ids)), list(ids)] = -np.inf
    return [_greatest(row, count) for row in cosines]


def _greatest(cosines: Array, count: int) -> list[Neighbour]:
    count = min(count, int(np.isfinite(cosines).sum()))
    if not count:
        return []
    top = np.argpartition(-cosines, count - 1)[:count]
    top = top[np.argsort(-cosines[top])]
    return [Neighbour(int(number), float(cosines[number])) for number in top]


def neighbour_bars(
    neighbours: Sequence[Neighbour], tokens: Sequence[str], sides: Sequence[Side], theme: Theme
) -> go.Figure:
    """Draw the neighbours as bars, nearest first, coloured by the sentence in which they occur."""
    figure = go.Figure()
    for side, name in side_names().items():
        rows = [row for row, of_row in enumerate(sides) if of_row == side]
        figure.add_bar(
            x=[neighbours[row].cosine for row in rows],
            y=rows,
            customdata=[[neighbours[row].id] for row in rows],
            orientation="h",
            name=name,
            showlegend=True,
            marker={"color": SIDE_COLOURS[side]},
            text=[f"{Number(neighbours[row].cosine):.2f}" for row in rows],
            textposition="outside",
            hovertemplate=f"id %{{customdata[0]}}<br>{_('cosine')} %{{x:.3f}}<extra></extra>",
        )
    figure.update_yaxes(
        autorange="reversed",
        **token_ticks(tokens),
        tickfont={"size": 16},
    )
    figure.update_xaxes(
        title=_("cosine to the chosen piece"),
        range=[min(0.0, *(of_row.cosine for of_row in neighbours), 0.0), 1.08],
    )
    figure.update_layout(legend=LEGEND_ABOVE, bargap=0.3)
    return styled(figure, theme, 130 + 30 * max(8, len(neighbours)))
