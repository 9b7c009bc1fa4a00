"""Figures of the queries, keys and values that a step computes or keeps, and of the cost."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.subplots import subplots
from viz.figures.theme import HEAD_COLOURS, KEY, LEGEND_ABOVE, QUERY, VALUE, Theme, styled
from viz.language.text import _

Cells = NDArray[np.int8]
NOTHING, KEPT, COMPUTED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Needed:
    """What a step needs, in the constants above: `own` (3, T) for q, k, v; `memory` (2, S)."""

    own: Cells
    memory: Cells


def needed(given: int, target: int, source: int, keeps: bool) -> Needed:
    """Return what the step that reads the first `given` of `target` pieces computes and keeps.

    With `keeps` there is a cache. Raises ValueError when there is no such step.
    """
    if not 0 < given <= target:
        raise ValueError(f"a step has 1 to {target} pieces before it, not {given}")
    own = np.zeros((3, target), np.int8)
    own[:, :given] = COMPUTED
    memory = np.full((2, source), COMPUTED, np.int8)
    if keeps:
        own[0, : given - 1] = NOTHING  # no later step uses an earlier query
        own[1:, : given - 1] = KEPT
        memory[:] = COMPUTED if given == 1 else KEPT
    return Needed(own, memory)


def kept_figure(
    given: int, target: Sequence[str], source: Sequence[str], theme: Theme
) -> go.Figure:
    """Draw the step that reads `given` pieces, with the cache on the left and without it beside."""
    titles = [_("with what is kept"), _("without")]
    figure = subplots(
        2,
        2,
        subplot_titles=[*titles, "", ""],
        row_heights=[0.6, 0.4],
        horizontal_spacing=0.08,
        vertical_spacing=0.3,
    )
    for column, keeps in enumerate((True, False), start=1):
        kept = needed(given, len(target), len(source), keeps)
        _add(figure, kept.own, "qkv", target, (1, column), theme)
        _add(figure, kept.memory, "kv", source, (2, column), theme)
    figure.update_yaxes(title_text=_("written"), row=1, col=1)
    figure.update_yaxes(title_text=_("source"), row=2, col=1)
    for name, faint in ((_("computed at this step"), 1.0), (_("kept from before"), 0.3)):
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=name,
            marker={"symbol": "square", "size": 14, "color": KEY, "opacity": faint},
        )
    figure.update_layout(legend={**LEGEND_ABOVE, "y": 1.12})
    return styled(figure, theme, 400)


def _add(
    figure: go.Figure,
    cells: Cells,
    parts: str,
    tokens: Sequence[str],
    place: tuple[int, int],
    theme: Theme,
) -> None:
    """Draw rows of cells, each part in its own colour, kept cells faintly."""
    codes = np.where(cells == NOTHING, 0, 2 * np.arange(1, len(parts) + 1)[:, None] + cells - 2)
    states = {NOTHING: _("not there"), KEPT: _("kept from before"), COMPUTED: _("computed")}
    said = np.array([[states[int(cell)] for cell in row] for row in cells], dtype=object)
    row, column = place
    figure.add_heatmap(
        z=codes,
        y=list(parts),
        customdata=said,
        colorscale=_scale(parts, theme),
        zmin=-0.5,
        zmax=2 * len(parts) + 0.5,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate=f"%{{y}} {_('of')} %{{x}}: %{{customdata}}<extra></extra>",
        row=row,
        col=column,
    )
    figure.update_xaxes(
        tickvals=list(range(len(tokens))),
        ticktext=[token_label(token) for token in tokens],
        tickangle=-60,
        showgrid=False,
        row=row,
        col=column,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, row=row, col=column)


def _scale(parts: str, theme: Theme) -> list[list[object]]:
    """Return plotly's scale of colours: for an empty cell, then for each part kept and computed."""
    colours = {"q": QUERY, "k": KEY, "v": VALUE}
    steps = [theme.grid]
    for part in parts:
        steps += [f"{colours[part]}4d", colours[part]]
    ends = np.linspace(0, 1, len(steps) + 1)
    return [[float(end), one] for i, one in enumerate(steps) for end in ends[i : i + 2]]


def steps_figure(
    with_cache: Sequence[int], without: Sequence[int], step: int, theme: Theme
) -> go.Figure:
    """Draw the multiply-adds of all steps with and without the cache; mark `step`, from 0."""
    figure = go.Figure()
    named = {_("with what is kept"): with_cache, _("without"): without}
    for (name, counts), colour in zip(named.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=list(range(1, len(counts) + 1)),
            y=[count / 1e6 for count in counts],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            hovertemplate=f"{name}, %{{x}}: %{{y:.1f}}<extra></extra>",
        )
    figure.add_vline(x=step + 1, line={"color": theme.text, "width": 1.5, "dash": "dot"})
    figure.update_xaxes(title_text=_("step"), dtick=1 if len(without) <= 24 else 5)
    figure.update_yaxes(title_text=_("multiply-adds, millions"), rangemode="tozero")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 320)
