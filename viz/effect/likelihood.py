"""The probability of each piece of a translation, before and after interventions."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.effect.difference import UNSEEN
from viz.figures.labels import Number, token_label, token_ticks
from viz.figures.theme import Theme, styled
from viz.language.text import _

HEIGHT = 290
UNCHANGED = "#858892"
"""A grey that is visible on light and on dark ground."""

NOTABLE = 0.005
"""The smallest change that gets a number: half a percentage point."""


def likelihood_chart(
    pieces: Sequence[str],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    theme: Theme,
) -> go.Figure:
    """Draw a ring for each probability (T,) before, a dot for it after, and a line between.

    A rise has the upper colour of the diverging scale, a fall the lower one, and no change is grey.
    Raises ValueError when the lengths differ.
    """
    if not len(pieces) == len(before) == len(after):
        raise ValueError(f"{len(pieces)} pieces, {len(before)} before, {len(after)} after")
    steps = list(range(len(pieces)))
    colours = change_colours(after - before, theme)
    figure = go.Figure()
    for colour in dict.fromkeys(colours):
        _add_lines(figure, [n for n in steps if colours[n] == colour], before, after, colour)
    ring: dict[str, object] = {
        "size": 13,
        "symbol": "circle-open",
        "color": theme.text,
        "line": {"width": 2},
    }
    _add(figure, steps, before, _("before"), ring, pieces)
    for colour, name in zip(three_colours(theme), change_names(), strict=True):
        own = [step for step in steps if colours[step] == colour]
        dot: dict[str, object] = {
            "size": 12,
            "color": colour,
            "line": {"width": 1.5, "color": theme.background},
        }
        if own:
            _add(figure, own, after[own], name, dot, [pieces[step] for step in own])
    _add_numbers(figure, before, after)
    _axes(figure, pieces)
    return styled(figure, theme, HEIGHT)


def change_colours(change: NDArray[np.float64], theme: Theme) -> list[str]:
    """Return the colour of each change (T,): that of a rise, that of a fall, or grey."""
    fall, rise, same = three_colours(theme)
    return [same if abs(each) < UNSEEN else rise if each > 0 else fall for each in change]


def change_names() -> tuple[str, str, str]:
    """Name a fall, a rise and no change."""
    return _("after: less likely"), _("after: more likely"), _("after: unchanged")


def three_colours(theme: Theme) -> tuple[str, str, str]:
    """Return the colours of a fall, a rise and no change."""
    return theme.diverging[0][1], theme.diverging[-1][1], UNCHANGED


def _add_lines(
    figure: go.Figure,
    steps: Sequence[int],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    colour: str,
) -> None:
    """Draw the lines of one colour as one trace, with a gap after each line."""
    figure.add_scatter(
        x=[x for step in steps for x in (step, step, None)],
        y=[y for step in steps for y in (float(before[step]), float(after[step]), None)],
        mode="lines",
        line={"color": colour, "width": 5},
        hoverinfo="skip",
        showlegend=False,
    )


def _add_numbers(
    figure: go.Figure, before: NDArray[np.float64], after: NDArray[np.float64]
) -> None:
    """Write the notable changes above their dots, in percentage points.

    Where numbers would overlap, only that of the largest change is written.
    """
    change = after - before
    size, near = np.abs(change), max(2, len(change) // 8)
    notable = [
        step
        for step, moved in enumerate(size)
        if moved >= NOTABLE and moved == size[max(0, step - near) : step + near + 1].max()
    ]
    figure.add_scatter(
        x=notable,
        y=[float(max(before[step], after[step])) + 0.05 for step in notable],
        mode="text",
        text=[f"{Number(100 * change[step]):+.1f}" for step in notable],
        textposition="top center",
        textfont={"size": 14},
        hoverinfo="skip",
        showlegend=False,
    )


def _add(
    figure: go.Figure,
    steps: Sequence[int],
    values: NDArray[np.float64],
    name: str,
    marker: dict[str, object],
    pieces: Sequence[str],
) -> None:
    figure.add_scatter(
        x=steps,
        y=values,
        mode="markers",
        name=name,
        marker=marker,
        customdata=[token_label(piece) for piece in pieces],
        hovertemplate=f"%{{customdata}}, {name}: %{{y:.1%}}<extra></extra>",
    )


def _axes(figure: go.Figure, pieces: Sequence[str]) -> None:
    figure.update_xaxes(
        **token_ticks(pieces),
        tickfont={"size": 15 if len(pieces) <= 30 else 10},
        tickangle=-45 if len(pieces) > 12 else 0,
        range=[-0.7, len(pieces) - 0.3],
    )
    figure.update_yaxes(range=[-0.05, 1.22], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(title={"text": _("probability"), "font": {"size": 15}})
    figure.update_layout(
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom"}
    )
