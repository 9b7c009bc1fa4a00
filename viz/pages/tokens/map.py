"""The map of pieces: the plane of the two directions in which their embeddings vary most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.theme import LEGEND_ABOVE, Theme, styled
from viz.language.text import _
from viz.pages.tokens.neighbours import SIDE_COLOURS, Side, side_names

Array = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Projection:
    """Points (n, 2), and the share of the variance along each axis."""

    points: Array
    shares: tuple[float, float]


def principal_plane(vectors: Array) -> Projection:
    """Project vectors (n, D) onto their first two principal components, by SVD.

    The sign of a component is arbitrary: it is chosen so that its entry of largest size is
    positive.
    """
    centred = np.asarray(vectors, dtype=np.float64) - vectors.mean(axis=0)
    _left, values, directions = np.linalg.svd(centred, full_matrices=False)
    if len(directions) < 2:
        directions = np.pad(directions, ((0, 2 - len(directions)), (0, 0)))
        values = np.pad(values, (0, 2 - len(values)))
    plane = directions[:2]
    largest = np.abs(plane).argmax(axis=1)
    signs = np.sign(plane[np.arange(2), largest])
    total = float((values**2).sum()) or 1.0
    shares = values[:2] ** 2 / total
    return Projection(centred @ (plane * signs[:, None]).T, (float(shares[0]), float(shares[1])))


@dataclass(frozen=True)
class MapPoint:
    """A piece on the map; a neighbour's `near` is the row of its piece, else None."""

    token: str
    side: Side
    near: int | None = None


def piece_map(points: Sequence[MapPoint], projection: Projection, theme: Theme) -> go.Figure:
    """Draw pieces as points with their text, and a line from each neighbour to its piece.

    Raises ValueError when the places do not fit the pieces.
    """
    positions = projection.points
    if len(points) != len(positions):
        raise ValueError(f"{len(points)} pieces given for {len(positions)} places")
    figure = go.Figure()
    _links(figure, points, positions, theme)
    for side, name in side_names().items():
        rows = [row for row, point in enumerate(points) if point.side == side]
        muted = side == "neither"
        figure.add_scatter(
            x=positions[rows, 0],
            y=positions[rows, 1],
            mode="markers+text",
            name=name,
            text=[token_label(points[row].token) for row in rows],
            textposition="top center",
            textfont={"size": 14 if muted else 16, "color": theme.text},
            opacity=0.7 if muted else 1.0,
            marker={
                "color": SIDE_COLOURS[side],
                "size": 7 if muted else 10,
            },
            hovertemplate="%{text}<extra></extra>",
        )
    first, second = (f"{share:.0%}" for share in projection.shares)
    figure.update_xaxes(title=_("component 1 ({share} of the variance)").format(share=first))
    figure.update_yaxes(title=_("component 2 ({share})").format(share=second))
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 640)


def _links(figure: go.Figure, points: Sequence[MapPoint], positions: Array, theme: Theme) -> None:
    """Draw all lines as one trace, with None between them."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for position, point in zip(positions, points, strict=True):
        if point.near is not None:
            xs += [float(position[0]), float(positions[point.near, 0]), None]
            ys += [float(position[1]), float(positions[point.near, 1]), None]
    figure.add_scatter(
        x=xs,
        y=ys,
        mode="lines",
        line={"color": theme.grid, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
