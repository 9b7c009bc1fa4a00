"""Figures of a score as a table of products, and of a logit as bars and as boards of heads."""

import textwrap
from collections.abc import Sequence
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.ink import inked
from viz.figures.labels import Number, named_cells, token_label
from viz.figures.subplots import subplots
from viz.figures.theme import Scale, Theme, styled
from viz.language.text import _
from viz.pages.why.sums import Products, Terms
from viz.pages.why.words import part_name

_COLUMN, _HEIGHT = 11, 310
"""The letters in a line of a column's name, and a table's height."""
_NO_COLOUR: Scale = ((0.0, "rgba(0,0,0,0)"), (1.0, "rgba(0,0,0,0)"))


def signed(value: float, digits: int = 2) -> str:
    """Write a number with its sign, or without a sign if it rounds to zero."""
    rounded = round(value, digits)
    return f"{Number(rounded):+.{digits}f}" if rounded else f"{0:.{digits}f}"


def products_figure(table: Products, query: str, key: str, theme: Theme) -> go.Figure:
    """Draw the query's parts (rows) by the key's (columns), with their sums as bars at the ends."""
    total = _("sum")
    values = np.concatenate([table.values, table.values.sum(axis=1, keepdims=True)], axis=1)
    values = np.concatenate([values, values.sum(axis=0, keepdims=True)])
    rows = [*map(part_name, table.query), total]
    columns = [*map(part_name, table.key), total]
    most = float(np.abs(table.values).max(initial=1e-9))
    ends_here = np.zeros(values.shape, dtype=bool)
    ends_here[-1] = ends_here[:, -1] = True
    figure = go.Figure(
        [
            _cells(np.where(ends_here, np.nan, values), most, rows, columns, theme.diverging),
            _cells(np.where(ends_here, values, np.nan), most, rows, columns, _NO_COLOUR),
        ]
    )
    figure.update_traces(textfont_color=theme.text, selector=1)
    _add_bars(figure, values, theme)
    ends = {"line": {"color": theme.text, "width": 1.5}, "type": "line"}
    figure.add_shape(**ends, x0=-0.5, x1=len(columns) - 0.5, y0=len(rows) - 1.5, y1=len(rows) - 1.5)
    figure.add_shape(
        **ends, x0=len(columns) - 1.5, x1=len(columns) - 1.5, y0=-0.5, y1=len(rows) - 0.5
    )
    names = {"tickmode": "array", "showgrid": False}
    figure.update_xaxes(
        names,
        tickvals=list(range(len(columns))),
        ticktext=[in_lines(name) for name in columns],
        side="top",
        tickangle=0,
        title_text=_("key part: “{token}”").format(token=token_label(key)),
    )
    figure.update_yaxes(
        names,
        tickvals=list(range(len(rows))),
        ticktext=rows,
        autorange="reversed",
    )
    figure.add_annotation(
        text=_("query part: “{token}” ↓").format(token=token_label(query)),
        showarrow=False,
        xref="paper",
        yref="paper",
        x=0,
        y=1,
        xanchor="right",
        yanchor="bottom",
    )
    # The column names have up to three lines, with the axis name above them.
    return styled(figure, theme, _HEIGHT).update_layout(margin_t=88)


def _add_bars(figure: go.Figure, values: NDArray[np.float64], theme: Theme) -> None:
    """Draw a bar below each sum, from the middle of its cell to the right or, below 0, to the left.

    The longest bar is half as wide as its cell.
    """
    last_row, last = values.shape[0] - 1, values.shape[1] - 1
    ends = [(row, last) for row in range(last_row)], [(last_row, column) for column in range(last)]
    for cells in ends:
        longest = max(abs(float(values[cell])) for cell in cells) or 1.0
        for row, column in cells:
            value = float(values[row, column])
            figure.add_shape(
                type="rect",
                layer="below",
                line_width=0,
                fillcolor=theme.diverging[-1 if value > 0 else 0][1],
                x0=column,
                x1=column + 0.48 * value / longest,
                y0=row + 0.3,
                y1=row + 0.44,
            )


def in_lines(name: str) -> str:
    """Write the name of a part in short lines, for a column; a Chinese letter counts twice."""
    lines: list[str] = []
    for part in name.replace("\uff1a", "\uff1a\n").split("\n"):
        chinese = sum(letter > "\u2e80" for letter in part)
        even = ceil(len(part) / ceil(2 * chinese / _COLUMN)) if chinese else _COLUMN
        lines += textwrap.wrap(part, even)
    return "<br>".join(lines)


def _cells(
    values: NDArray[np.float64],
    most: float,
    rows: Sequence[str],
    columns: Sequence[str],
    scale: Scale,
) -> go.Heatmap:
    labels = [["" if np.isnan(value) else signed(value) for value in row] for row in values]
    if scale != _NO_COLOUR:
        labels = inked(labels, values, scale, -most, most)
    return go.Heatmap(
        z=values,
        zmin=-most,
        zmax=most,
        xgap=2,
        ygap=2,
        colorscale=[list(stop) for stop in scale],
        showscale=False,
        text=labels,
        texttemplate="%{text}",
        textfont={"size": 14},
        hoverongaps=False,
        customdata=named_cells(rows, columns),
        hovertemplate="%{customdata[0]} × %{customdata[1]}: %{z:.4f}<extra></extra>",
    )


def terms_figure(shown: Terms, title: str, theme: Theme) -> go.Figure:
    """Draw the parts of a logit, or of a lead, as bars to the left and the right."""
    names = [part_name(name) for name in shown.names]
    minus, plus = theme.diverging[0][1], theme.diverging[-1][1]
    figure = go.Figure(
        go.Bar(
            x=shown.values,
            y=list(range(len(names))),
            orientation="h",
            marker={"color": [plus if value >= 0 else minus for value in shown.values]},
            text=[signed(value) for value in shown.values],
            textposition="outside",
            cliponaxis=False,
            customdata=names,
            hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, autorange="reversed", showgrid=False
    )
    # Room for the numbers beside the bars: two fifths of their reach, on each side.
    low, high = min(shown.values.min(), 0.0), max(shown.values.max(), 0.0)
    room = 0.4 * float(high - low or 1.0)
    figure.update_xaxes(title_text=title, zeroline=True, range=[low - room, high + room])
    figure.update_xaxes(zerolinecolor=theme.text)
    return styled(figure, theme, 76 + 26 * len(names)).update_layout(margin_t=8)


def _large(value: float, most: float) -> str:
    """Write a number if it matters beside the largest; all others would be a field of zeros.

    Colours tell which are above 0: a plus in each cell would touch its neighbour on stage.
    """
    return signed(value, 1).lstrip("+") if abs(value) > 0.15 * most else ""


def boards_figure(
    boards: Sequence[tuple[str, NDArray[np.float64]]], name: str, theme: Theme
) -> go.Figure:
    """Draw titled boards (layers, heads) side by side, on one signed scale."""
    figure = subplots(
        1, len(boards), subplot_titles=[title for title, _values in boards], horizontal_spacing=0.05
    )
    most = max(float(np.abs(values).max(initial=1e-9)) for _title, values in boards)
    for column, (title, values) in enumerate(boards, start=1):
        layers, heads = values.shape
        labels = [[_large(value, most) for value in row] for row in values]
        figure.add_heatmap(
            z=values,
            x=[str(head + 1) for head in range(heads)],
            y=[str(layer + 1) for layer in range(layers)],
            zmin=-most,
            zmax=most,
            xgap=2,
            ygap=2,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": name}, "thickness": 14},
            showscale=column == 1,
            text=inked(labels, values, theme.diverging, -most, most),
            texttemplate="%{text}",
            textfont={"size": 14},
            hovertemplate=f"{title} %{{y}}.%{{x}}: %{{z:.4f}}<extra></extra>",
            row=1,
            col=column,
        )
        figure.update_xaxes(title_text=_("head"), type="category", row=1, col=column)
        figure.update_yaxes(title_text=_("layer") if column == 1 else "", row=1, col=column)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_xaxes(showgrid=False)
    return styled(figure, theme, 310)
