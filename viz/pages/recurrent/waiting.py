"""The cost of an encoder: sequential steps, path lengths, work, and measured times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _


@dataclass(frozen=True)
class Waiting:
    """One layer over n pieces: its sequential `steps`, its longest `path`, and multiply-adds."""

    steps: int
    path: int
    work: int


def recurrent_waiting(n: int, width: int, half: int) -> Waiting:
    """Count for a GRU in both directions, each `half` wide, over n inputs of this width.

    Each of the three gates multiplies the input and the last state. The two directions run in
    parallel. The path between the first and the last word has n - 1 steps.
    """
    return Waiting(n, n - 1, 2 * n * 3 * half * (width + half))


def attention_waiting(n: int, width: int) -> Waiting:
    """Count for self-attention: four projections, the scores and the mix of the values."""
    return Waiting(1, 1, 4 * n * width * width + 2 * n * n * width)


def times_figure(named: Mapping[str, Sequence[tuple[int, float]]], theme: Theme) -> go.Figure:
    """Draw named times, pairs of pieces and milliseconds, on two logarithmic axes."""
    figure = go.Figure()
    for (name, times), colour in zip(named.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=[length for length, _time in times],
            y=[time for _length, time in times],
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            hovertemplate=f"{name}, %{{x}}: %{{y:.2f}} ms<extra></extra>",
        )
    ticks = sorted({length for times in named.values() for length, _time in times})
    figure.update_xaxes(type="log", title_text=_("pieces"), tickvals=ticks)
    figure.update_yaxes(type="log", title_text=_("milliseconds"))
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 380)
