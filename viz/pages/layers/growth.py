"""How the cost of a layer grows with the length: attention, recurrence, convolution."""

import numpy as np
import plotly.graph_objects as go

from viz.pages.layers.costs import growth
from viz.shared.text import _
from viz.shared.theme import HEAD_COLOURS, Theme, styled

LONGEST = 8192


def growth_figure(length: int, width: int, kernel: int, theme: Theme) -> go.Figure:
    """Draw n^2 d, n d^2 and k n d^2 against n on two logarithmic axes; n and n = d are marked."""
    curve = growth(np.geomspace(1, LONGEST, 60), width, kernel)
    here = growth(np.array([float(length)]), width, kernel)
    lines = (
        (
            _("self-attention: n² d"),
            curve.attention,
            here.attention,
            HEAD_COLOURS[0],
            "bottom right",
        ),
        (_("recurrence: n d²"), curve.recurrence, here.recurrence, HEAD_COLOURS[1], "bottom right"),
        (
            _("convolution, k = {kernel}: k n d²").format(kernel=kernel),
            curve.convolution,
            here.convolution,
            HEAD_COLOURS[2],
            "top left",
        ),
    )
    figure = go.Figure()
    for name, values, value, colour, beside in lines:
        figure.add_scatter(
            x=curve.n,
            y=values,
            name=name,
            line={"color": colour, "width": 3},
            hovertemplate="n = %{x:.0f}: %{y:.3s}<extra></extra>",
        )
        figure.add_scatter(
            x=[length],
            y=value,
            mode="markers+text",
            text=[f"{value[0]:,.0f}"],
            textposition=beside,
            marker={"color": colour, "size": 11},
            showlegend=False,
            hovertemplate=f"n = {length}: %{{y:,.0f}}<extra></extra>",
        )
    _mark(figure, length, _("this sentence: n = {n}").format(n=length), theme)
    _mark(figure, width, _("n = d = {d}").format(d=width), theme)
    figure.update_xaxes(type="log", title_text=_("length n"), tickvals=[1, 10, 100, 1000, 8192])
    figure.update_yaxes(type="log", title_text=_("multiply-adds a layer"), exponentformat="SI")
    figure.update_layout(legend={"orientation": "h", "y": -0.22, "yanchor": "top", "x": 0})
    return styled(figure, theme, 430)


def _mark(figure: go.Figure, at: int, text: str, theme: Theme) -> None:
    figure.add_vline(x=at, line={"color": theme.text, "width": 1.5, "dash": "dot"})
    # On a logarithmic axis plotly takes a line's place as it is and an annotation's as its log.
    figure.add_annotation(
        x=np.log10(at), y=1, yref="paper", yanchor="bottom", text=text, showarrow=False
    )
