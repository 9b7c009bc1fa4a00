"""One projection's numbers as they are cut into heads and put together again."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from viz.shared.labels import token_label
from viz.shared.text import _
from viz.shared.theme import HEAD_COLOURS, Theme, key_axis, styled


def whole_figure(
    heads: NDArray[np.floating], tokens: Sequence[str], token: int, theme: Theme
) -> go.Figure:
    """Draw vectors (n, D) of all heads (H, n, Dk) side by side, each in its head's colour."""
    count, length, width = heads.shape
    most = float(np.abs(heads).max(initial=1e-9))
    figure = go.Figure()
    for head, values in enumerate(heads):
        figure.add_trace(_cells(values, head, head * width, most, theme))
    figure.add_shape(
        type="rect",
        x0=0.5,
        x1=count * width + 0.5,
        y0=token - 0.5,
        y1=token + 0.5,
        line={"color": theme.text, "width": 2},
    )
    figure.update_xaxes(
        title_text=_("dimension 1 to {width}, one row a token").format(width=count * width),
        tickvals=[head * width + 1 for head in range(count)],
        showgrid=False,
    )
    _rows(figure, tokens)
    return styled(figure, theme, 110 + 15 * min(length, 40))


def split_figure(
    heads: NDArray[np.floating], tokens: Sequence[str], token: int, theme: Theme
) -> go.Figure:
    """Draw the same numbers as one board a head, (n, Dk) each."""
    count, length, width = heads.shape
    most = float(np.abs(heads).max(initial=1e-9))
    titles = [_("head {head}").format(head=head + 1) for head in range(count)]
    figure = make_subplots(
        1, count, subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.012
    )
    for head, values in enumerate(heads):
        figure.add_trace(_cells(values, head, 0, most, theme), row=1, col=head + 1)
    line = {"color": theme.text, "width": 2}
    frame = {"type": "rect", "x0": 0.5, "x1": width + 0.5, "line": line}
    frame |= {"y0": token - 0.5, "y1": token + 0.5}
    axes = [str(head + 1) if head else "" for head in range(count)]
    shapes = [{**frame, "xref": f"x{axis}", "yref": f"y{axis}"} for axis in axes]
    figure.update_layout(shapes=shapes)  # one by one, plotly takes ten times as long
    figure.update_xaxes(tickvals=[1, width], showgrid=False)
    _rows(figure, tokens)
    return styled(figure, theme, 110 + 15 * min(length, 40))


def _cells(
    values: NDArray[np.floating], head: int, first: int, most: float, theme: Theme
) -> go.Heatmap:
    """Draw one head's numbers: the larger, up or down, the stronger its colour."""
    colour = HEAD_COLOURS[head % len(HEAD_COLOURS)]
    return go.Heatmap(
        z=np.abs(values),
        x=np.arange(first + 1, first + values.shape[1] + 1),
        customdata=values,
        zmin=0,
        zmax=most,
        showscale=False,
        colorscale=[[0, theme.background], [1, colour]],
        hovertemplate=f"{_('head')} {head + 1}, %{{y}}, %{{x}}: %{{customdata:.3f}}<extra></extra>",
    )


def _rows(figure: go.Figure, tokens: Sequence[str]) -> None:
    figure.update_yaxes(
        tickvals=list(range(len(tokens))),
        ticktext=[token_label(token) for token in tokens],
        autorange="reversed",
        showgrid=False,
        tickfont={"size": 14 if len(tokens) <= 25 else 9},
    )


def mask_figure(
    real: NDArray[np.bool_], tokens: Sequence[Sequence[str]], theme: Theme
) -> go.Figure:
    """Draw the padding mask of a batch (B, S): which keys may be looked at, with the pieces."""
    names = [_("sentence {number}").format(number=row + 1) for row in range(len(real))]
    texts = [[token_label(token) for token in row] for row in tokens]
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
            text=[
                [_masked(text, one, theme) for text, one in zip(row, flags, strict=True)]
                for row, flags in zip(texts, real, strict=True)
            ],
            texttemplate="%{text}",
            textfont={"size": 14 if real.shape[1] <= 20 else 10},
            hoverinfo="skip",
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(title_text=key_axis(), showgrid=False, showticklabels=False)
    return styled(figure, theme, 110 + 62 * len(real))


def _masked(text: str, real: np.bool_, theme: Theme) -> str:
    """Write a piece, and below it whether it may be looked at."""
    flag, ink = (_("True"), "#000") if real else (_("False"), theme.text)
    return f'<span style="color:{ink}">{text}<br>{flag}</span>'
