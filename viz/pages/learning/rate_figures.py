"""Figures of learning rates, and of dropout."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_ticks
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, key_axis, styled
from viz.language.text import _

Array = NDArray[np.floating]


def schedule_figure(
    paper: Array, run_steps: Sequence[int], run_rates: Sequence[float], theme: Theme
) -> go.Figure:
    """Draw the paper's learning rate (n,) at steps 1 to n, beside the rates in a run's log."""
    figure = go.Figure()
    figure.add_scatter(
        x=np.arange(1, len(paper) + 1),
        y=paper,
        name=_("the paper's formula"),
        line={"color": QUERY, "width": 2},
        hovertemplate=_("step %{x}: %{y:.2e}") + "<extra></extra>",
    )
    if len(run_steps):
        figure.add_scatter(
            x=list(run_steps),
            y=list(run_rates),
            name=_("this model's run"),
            line={"color": KEY, "width": 2},
            hovertemplate=_("step %{x}: %{y:.2e}") + "<extra></extra>",
        )
    figure.update_xaxes(title=_("step"), range=[0, len(paper)])
    figure.update_yaxes(title=_("learning rate"), rangemode="tozero", tickformat="~g")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 400)


def draws_figure(
    inputs: Array, names: Sequence[str], theme: Theme, tokens: Sequence[str] | None = None
) -> go.Figure:
    """Draw vectors (n, D) as strips, one below the other; dropped numbers are left blank.

    The first vector is without dropout. The numbers are dimensions, or weights of `tokens`. Raises
    ValueError when the names do not fit the vectors.
    """
    if len(names) != len(inputs):
        raise ValueError(f"{len(names)} names for {len(inputs)} vectors")
    shown = np.where(inputs == 0, np.nan, inputs)
    most = float(np.nanmax(np.abs(shown[0])))
    figure = go.Figure(
        go.Heatmap(
            z=shown[::-1],
            y=list(names)[::-1],
            zmin=-most,
            zmax=most,
            ygap=6,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"title": {"text": _("value")}, "thickness": 14},
            hovertemplate=_("dimension %{x}: %{z:.2f}") + "<extra></extra>",
            hoverongaps=False,
        )
    )
    figure.update_layout(shapes=[_frame(row, inputs.shape[1], theme) for row in range(len(inputs))])
    figure.update_xaxes(title=_("dimension"), showgrid=False)
    if tokens is not None:
        figure.update_traces(hovertemplate="%{x}: %{z:.3f}<extra></extra>")
        figure.update_xaxes(title=key_axis(), **token_ticks(tokens))
    figure.update_yaxes(showgrid=False, tickfont={"size": 15})
    return styled(figure, theme, 110 + 62 * len(inputs))


def _frame(row: int, width: int, theme: Theme) -> dict[str, object]:
    """Return a plate behind a strip, so that dropped numbers look like holes."""
    return {
        "type": "rect",
        "x0": -0.5,
        "x1": width - 0.5,
        "y0": row - 0.44,
        "y1": row + 0.44,
        "line": {"width": 0},
        "fillcolor": theme.text,
        "opacity": 0.85,
        "layer": "below",
    }
