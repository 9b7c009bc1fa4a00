"""The figure of quality by the length of the source, with a line for each model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz.figures.theme import HEAD_COLOURS, LEGEND_ABOVE, Theme, styled
from viz.language.text import _


@dataclass(frozen=True)
class Line:
    """One model's scores: for each point the mean words of the sources, the score and a label."""

    words: tuple[float, ...]
    scores: tuple[float, ...]
    of: tuple[str, ...]


def line_of(rows: Sequence[Mapping[str, Any]], measure: str) -> Line:
    """Return "bleu" or "chrf" from the rows of a file of lengths; ValueError for others."""
    if measure not in ("bleu", "chrf"):
        raise ValueError(f"measure must be bleu or chrf, not {measure!r}")
    return Line(
        tuple(float(row["mean_words"]) for row in rows),
        tuple(float(row[measure]) for row in rows),
        tuple(f"{row['words']}, {row['sentences']}" for row in rows),
    )


def lengths_figure(lines: Mapping[str, Line], measure: str, theme: Theme) -> go.Figure:
    """Draw a line for each named model, by the mean number of words of the sources."""
    figure = go.Figure()
    for (name, line), colour in zip(lines.items(), HEAD_COLOURS, strict=False):
        figure.add_scatter(
            x=line.words,
            y=line.scores,
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"size": 8},
            customdata=line.of,
            hovertemplate=f"{name}: %{{y:.1f}} (%{{customdata}})<extra></extra>",
        )
    figure.update_xaxes(title_text=_("words in the text, on average"))
    figure.update_yaxes(title_text=measure, rangemode="tozero")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 430)
