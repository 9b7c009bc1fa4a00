"""Figures of one projection's numbers, whole and cut into heads, and of a batch's mask."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label, token_ticks
from viz.figures.theme import HEAD_COLOURS, Theme, key_axis, styled
from viz.language.text import _

GAP = 3
"""The empty columns between two heads that are drawn apart."""


def whole_figure(
    heads: NDArray[np.floating], tokens: Sequence[str], token: int, theme: Theme
) -> go.Figure:
    """Draw the vectors of all heads (H, n, Dk) side by side, as (n, D), each in its own colour."""
    count, _length, width = heads.shape
    figure = _drawn(heads, 0, theme)
    _frames(figure, [(0, count * width)], token, theme)
    figure.update_xaxes(
        title_text=_("dimension 1 to {width}, one row a token").format(width=count * width),
        tickvals=[head * width for head in range(count)],
        ticktext=[str(head * width + 1) for head in range(count)],
        showgrid=False,
    )
    return _finished(figure, tokens, theme)


def split_figure(
    heads: NDArray[np.floating], tokens: Sequence[str], token: int, theme: Theme
) -> go.Figure:
    """Draw the same numbers as a board for each head, (n, Dk)."""
    count, _length, width = heads.shape
    figure = _drawn(heads, GAP, theme)
    starts = [head * (width + GAP) for head in range(count)]
    _frames(figure, [(start, start + width) for start in starts], token, theme)
    figure.update_xaxes(
        tickvals=[start + width / 2 for start in starts],
        ticktext=[_("head {head}").format(head=head + 1) for head in range(count)],
        side="top",
        showgrid=False,
    )
    return _finished(figure, tokens, theme)


def _drawn(heads: NDArray[np.floating], gap: int, theme: Theme) -> go.Figure:
    """Draw all heads as one heatmap: the larger a number in size, the stronger its colour.

    They are one trace: a trace or a subplot for each head would take three times as long to paint.
    The numbers of head h lie between h and h + 1 on a scale with a colour for each head.
    """
    count, length, _width = heads.shape
    most = float(np.abs(heads).max(initial=1e-9))
    shares = 0.999 * np.abs(heads) / most + np.arange(count)[:, None, None]
    empty = np.full((count, length, gap), np.nan)
    z, values = (
        np.concatenate([each, empty], axis=2).transpose(1, 0, 2).reshape(length, -1)
        for each in (shares, heads)
    )
    scale: list[list[object]] = []
    for head in range(count):
        colour = HEAD_COLOURS[head % len(HEAD_COLOURS)]
        scale += [[head / count, theme.background], [(head + 1) / count, colour]]
    cells = go.Heatmap(
        z=z.astype(np.float32),
        customdata=values.astype(np.float32),
        zmin=0,
        zmax=count,
        showscale=False,
        colorscale=scale,
        hoverongaps=False,
        hovertemplate="%{y}: %{customdata:.3f}<extra></extra>",
    )
    return go.Figure(cells)


def _frames(figure: go.Figure, spans: Sequence[tuple[int, int]], token: int, theme: Theme) -> None:
    """Frame a token's row over each span of columns, the end not included."""
    line = {"color": theme.text, "width": 2}
    rows = {"type": "rect", "line": line, "y0": token - 0.5, "y1": token + 0.5}
    shapes = [{**rows, "x0": first - 0.5, "x1": end - 0.5} for first, end in spans]
    figure.update_layout(shapes=shapes)


def _finished(figure: go.Figure, tokens: Sequence[str], theme: Theme) -> go.Figure:
    _rows(figure, tokens)
    return styled(figure, theme, 110 + 15 * min(len(tokens), 40))


def _rows(figure: go.Figure, tokens: Sequence[str]) -> None:
    figure.update_yaxes(
        **token_ticks(tokens),
        autorange="reversed",
        tickfont={"size": 14 if len(tokens) <= 25 else 9},
    )


MOST_NAMED = 40
"""The most columns of a mask whose cells name their pieces; with more, only the tooltip does."""


def mask_figure(
    real: NDArray[np.bool_], tokens: Sequence[Sequence[str]], theme: Theme
) -> go.Figure:
    """Draw the padding mask of a batch (B, S), True for keys that may be looked at, with pieces."""
    names = [_("sentence {number}").format(number=row + 1) for row in range(len(real))]
    cells = [
        (row, column, token, bool(real[row, column]))
        for row, line in enumerate(tokens)
        for column, token in enumerate(line)
    ]
    figure = go.Figure(
        go.Heatmap(
            z=real.astype(int),
            y=names,
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=6,
            showscale=False,
            colorscale=[[0, theme.grid], [1, "#56B4E9"]],
            customdata=[[token_label(token) for token in line] for line in tokens],
            hovertemplate="%{y}: %{customdata}<extra></extra>",
        )
    )
    if real.shape[1] <= MOST_NAMED:
        figure.layout.annotations = [_masked(*cell, theme) for cell in cells]
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(title_text=key_axis(), showgrid=False, showticklabels=False)
    return styled(figure, theme, 110 + 120 * len(real))


def _masked(row: int, column: int, token: str, real: bool, theme: Theme) -> dict[str, object]:
    """Return the label of a cell, written upwards to save room: its piece, and True or False."""
    ink = "#000000" if real else theme.text
    label = f"{token_label(token)}: {_('True') if real else _('False')}"
    font = {"size": 13, "color": ink}
    where = {"x": column, "y": row, "showarrow": False, "textangle": -90}
    return {"text": label, "font": font, **where}
