"""Rotary positions: a query and a key, turned by their positions, and their score.

A pair of dims is a point in a plane, a complex number. Position p turns pair i by p w_i, the angle
of the sinusoids. So the product of a query at m and a key at n depends only on m - n.
"""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.subplots import subplots
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.positions.table import frequencies

Waves = NDArray[np.complex128]
BASE = 10000.0
REACH = 32
"""The largest distance of query and key in the figure."""


def waves(vector: NDArray[np.floating]) -> Waves:
    """Return the pairs of dims of a vector (Dk,) as complex numbers (Dk/2,)."""
    pairs = np.asarray(vector, dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0] + 1j * pairs[:, 1]


@dataclass(frozen=True, eq=False)
class Turned:
    """A query and a key before they are turned, (Dk/2,) each, and their positions m and n."""

    query: Waves
    key: Waves
    m: int
    n: int

    @classmethod
    def back(
        cls, query: NDArray[np.floating], key: NDArray[np.floating], m: int, n: int
    ) -> "Turned":
        """Undo the turn of a recorded query and key (Dk,)."""
        angles = frequencies(len(query), BASE)
        turns = np.exp(-1j * m * angles), np.exp(-1j * n * angles)
        return cls(waves(query) * turns[0], waves(key) * turns[1], m, n)

    @property
    def angles(self) -> NDArray[np.float64]:
        """Return the angle by which each pair turns per position, in radians (Dk/2,)."""
        return frequencies(2 * len(self.query), BASE)

    def at(self, m: float, n: float) -> tuple[Waves, Waves]:
        """Turn the query to position m and the key to n; return both."""
        turn = 1j * self.angles
        return self.query * np.exp(m * turn), self.key * np.exp(n * turn)

    def score(self, m: float, n: float) -> float:
        """Return q . k / √Dk with the query at m and the key at n."""
        query, key = self.at(m, n)
        return float((query * key.conj()).real.sum() / np.sqrt(2 * len(query)))


def rotary_figure(turned: Turned, pair: int, by: int, theme: Theme) -> go.Figure:
    """Draw a pair of dims of query and key, turned and moved by `by`, and the score by distance."""
    titles = [
        _("Dims {first} and {second} of both").format(first=2 * pair, second=2 * pair + 1),
        _("The score, by the distance of the two"),
    ]
    figure = subplots(1, 2, subplot_titles=titles, column_widths=[0.42, 0.58])
    _draw_plane(figure, turned, pair, by, theme)
    distances = np.arange(-REACH, REACH + 1)
    scores = [turned.score(float(distance), 0) for distance in distances]
    figure.add_scatter(
        x=distances,
        y=scores,
        mode="lines+markers",
        marker={"size": 4, "color": theme.text},
        line={"color": theme.text, "width": 1},
        opacity=0.6,
        showlegend=False,
        hovertemplate="%{x}: %{y:.2f}<extra></extra>",
        row=1,
        col=2,
    )
    figure.add_scatter(
        x=[turned.m - turned.n],
        y=[turned.score(turned.m + by, turned.n + by)],
        mode="markers",
        marker={"size": 15, "color": "#9467BD", "line": {"width": 2, "color": theme.background}},
        name=_("here"),
        hovertemplate="%{x}: %{y:.2f}<extra></extra>",
        row=1,
        col=2,
    )
    figure.update_xaxes(title=_("distance of the query behind the key"), row=1, col=2)
    figure.update_yaxes(title=_("score"), row=1, col=2)
    figure.update_layout(legend=LEGEND_ABOVE | {"y": 1.1})
    styled(figure, theme, 430)
    figure.update_layout(margin_t=80)
    return figure


def _draw_plane(figure: go.Figure, turned: Turned, pair: int, by: int, theme: Theme) -> None:
    query, key = turned.at(turned.m + by, turned.n + by)
    reach = 1.15 * max(abs(turned.query[pair]), abs(turned.key[pair]), 1e-6)
    for name, start, now, position, colour in (
        (_("query"), turned.query[pair], query[pair], turned.m + by, QUERY),
        (_("key"), turned.key[pair], key[pair], turned.n + by, KEY),
    ):
        _arrow(figure, start, colour, dashed=True, name=_("{name}, not turned").format(name=name))
        label = _("{name} at position {place}").format(name=name, place=position)
        _arrow(figure, now, colour, dashed=False, name=label)
        turns = np.linspace(0, position * turned.angles[pair], 200)
        arc = 0.35 * start * np.exp(1j * turns)
        figure.add_scatter(
            x=arc.real,
            y=arc.imag,
            mode="lines",
            line={"color": colour, "width": 1},
            showlegend=False,
            hoverinfo="skip",
            row=1,
            col=1,
        )
    axis = {"range": [-reach, reach], "zeroline": True, "zerolinecolor": theme.grid}
    figure.update_xaxes(axis, title=_("dim {number}").format(number=2 * pair), row=1, col=1)
    figure.update_yaxes(axis, title=_("dim {number}").format(number=2 * pair + 1), row=1, col=1)
    figure.update_yaxes(scaleanchor="x", row=1, col=1)


def _arrow(figure: go.Figure, to: complex, colour: str, *, dashed: bool, name: str) -> None:
    figure.add_scatter(
        x=[0, to.real],
        y=[0, to.imag],
        mode="lines+markers",
        line={"color": colour, "width": 2 if dashed else 4, "dash": "dot" if dashed else "solid"},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "size": [0, 9 if dashed else 14],
            "color": colour,
        },
        opacity=0.55 if dashed else 1,
        name=name,
        hovertemplate="(%{x:.2f}, %{y:.2f})<extra></extra>",
        row=1,
        col=1,
    )
