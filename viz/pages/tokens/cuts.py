"""The ways to cut a text into pieces, best first, each drawn as a ribbon along the characters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.words import is_byte
from viz.figures.labels import Number, token_label
from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _

SAME, OTHER = HEAD_COLOURS[4], HEAD_COLOURS[1]


@dataclass(frozen=True)
class Cut:
    """One segmentation: its pieces and its log-probability in nats."""

    tokens: tuple[str, ...]
    score: float


def edges(tokens: Sequence[str]) -> NDArray[np.float64]:
    """Return the edges of n pieces, in characters from the start (n + 1,).

    The bytes of one character share its width.
    """
    widths = np.array([0 if is_byte(token) else len(token) for token in tokens], dtype=float)
    start = 0
    while start < len(tokens):
        if is_byte(tokens[start]):
            size = min(_utf8_size(int(tokens[start][3:5], 16)), len(tokens) - start)
            widths[start : start + size] = 1 / size
            start += size
        else:
            start += 1
    return np.concatenate([[0.0], np.cumsum(widths)])


def _utf8_size(first: int) -> int:
    """Return the number of bytes of a character that begins with this byte."""
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def relative(cuts: Sequence[Cut]) -> list[float]:
    """Return the probability of each cut, divided by the first cut's."""
    return [float(np.exp(cut.score - cuts[0].score)) for cut in cuts]


def new_pieces(cut: Cut, best: Cut) -> list[bool]:
    """Return, for each piece of a cut, True if the best cut lacks it at that place."""
    lines = edges(best.tokens).round(3)
    spans = set(zip(lines[:-1].tolist(), lines[1:].tolist(), strict=True))
    own = edges(cut.tokens).round(3)
    return [span not in spans for span in zip(own[:-1].tolist(), own[1:].tolist(), strict=True)]


def cuts_figure(cuts: Sequence[Cut], theme: Theme) -> go.Figure:
    """Draw each cut as a ribbon of its pieces; pieces that the best cut lacks stand out."""
    figure = go.Figure()
    groups = [_segments(cuts, different) for different in (False, True)]
    names = _("as in the best cut"), _("cut differently")
    for segments, name, colour in zip(groups, names, (SAME, OTHER), strict=True):
        figure.add_bar(
            base=[segment.start for segment in segments],
            x=[segment.end - segment.start for segment in segments],
            y=[segment.row for segment in segments],
            text=[segment.text for segment in segments],
            orientation="h",
            name=name,
            marker={"color": colour, "line": {"color": theme.background, "width": 2}},
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            insidetextfont={"size": 16, "color": "#000000"},
            hovertemplate="%{text}<extra></extra>",
        )
    labels = [
        (
            _("{score:.1f} \N{MIDDLE DOT} {share:.2g} of the best")
            if row
            else _("{score:.1f} \N{MIDDLE DOT} the best")
        ).format(score=Number(cut.score), share=share)
        for row, (cut, share) in enumerate(zip(cuts, relative(cuts), strict=True))
    ]
    figure.update_yaxes(
        autorange="reversed",
        tickvals=list(range(len(cuts))),
        ticktext=labels,
        showgrid=False,
    )
    figure.update_xaxes(title=_("characters"), showgrid=False)
    shown = {"minsize": 13, "mode": "hide"}
    figure.update_layout(barmode="overlay", uniformtext=shown, legend=LEGEND_ABOVE)
    return styled(figure, theme, 130 + 40 * len(cuts))


@dataclass(frozen=True)
class _Segment:
    row: int
    start: float
    end: float
    text: str


def _segments(cuts: Sequence[Cut], different: bool) -> list[_Segment]:
    """List the pieces of all cuts that the best cut lacks (`different`), or that it has."""
    segments: list[_Segment] = []
    for row, cut in enumerate(cuts):
        lines = edges(cut.tokens)
        flags = new_pieces(cut, cuts[0])
        for number, token in enumerate(cut.tokens):
            if flags[number] is different:
                start, end = float(lines[number]), float(lines[number + 1])
                segments.append(_Segment(row, start, end, token_label(token)))
    return segments
