"""Figures of add & norm: its vectors as strips, and the two axes along which to take a mean."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import token_label
from viz.figures.subplots import subplots
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.block.norm_numbers import AddNorm


def strips_figure(shown: AddNorm, sublayer: str, theme: Theme) -> go.Figure:
    """Draw the six vectors of add & norm as strips, each on its own scale centred at 0."""
    strips = {
        "x": shown.x,
        sublayer: shown.added,
        _("their sum s"): shown.total,
        _("(s − mean) / σ"): shown.normed,  # noqa: RUF001
        _("times γ"): shown.normed * shown.gain,  # noqa: RUF001
        _("plus β: out"): shown.out,
    }
    largest = {name: float(np.abs(values).max(initial=1e-9)) for name, values in strips.items()}
    figure = go.Figure(
        go.Heatmap(
            z=[values / largest[name] for name, values in strips.items()],
            x=np.arange(1, len(shown.x) + 1),
            y=[f"{name}  ±{largest[name]:.2f}" for name in strips],
            customdata=np.stack(list(strips.values())),
            zmin=-1,
            zmax=1,
            ygap=4,
            colorscale=[list(stop) for stop in theme.diverging],
            colorbar={"thickness": 12, "tickvals": [-1, 0, 1], "ticktext": ["−max", "0", "max"]},  # noqa: RUF001
            hovertemplate=f"%{{y}}, {_('dimension')} %{{x}}: %{{customdata:.4f}}<extra></extra>",
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(title_text=_("dimension"), showgrid=False)
    return styled(figure, theme, 360)


def axes_figure(
    sums: NDArray[np.floating], tokens: Sequence[str], token: int, dimension: int, theme: Theme
) -> go.Figure:
    """Draw sums (n, D), with a token's row framed for LayerNorm and a dimension for BatchNorm."""
    count, width = sums.shape
    figure = subplots(
        2,
        2,
        column_widths=[0.82, 0.18],
        row_heights=[0.72, 0.28],
        shared_xaxes=True,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=0.04,
    )
    most = float(np.quantile(np.abs(sums), 0.995)) or 1e-9
    figure.add_heatmap(
        z=sums,
        x=np.arange(1, width + 1),
        y=np.arange(count),
        zmin=-most,
        zmax=most,
        showscale=False,
        colorscale=[list(stop) for stop in theme.diverging],
        hovertemplate=f"%{{y}}, {_('dimension')} %{{x}}: %{{z:.2f}}<extra></extra>",
        row=1,
        col=1,
    )
    _means(figure, sums, theme)
    row = (0.5, token - 0.5), (width + 0.5, token + 0.5)
    column = (dimension + 0.5, -0.5), (dimension + 1.5, count - 0.5)
    for (x0, y0), (x1, y1), colour in ((*row, QUERY), (*column, KEY)):
        line = {"color": colour, "width": 3}
        figure.add_shape(type="rect", x0=x0, y0=y0, x1=x1, y1=y1, line=line, row=1, col=1)
    names = [token_label(each) for each in tokens]
    figure.update_yaxes(tickvals=list(range(count)), ticktext=names, showgrid=False, row=1)
    figure.update_yaxes(autorange="reversed", row=1)
    figure.update_xaxes(title_text=_("dimension"), row=2, col=1)
    return styled(figure, theme, 210 + 18 * min(count, 30))


def _means(figure: go.Figure, sums: NDArray[np.floating], theme: Theme) -> None:
    """Draw the mean of each row on the right, and of each column below."""
    count, width = sums.shape
    figure.add_bar(
        x=sums.mean(axis=1),
        y=np.arange(count),
        orientation="h",
        marker={"color": QUERY},
        name=_("LayerNorm: a mean for each token"),
        hovertemplate=f"{_('mean')} %{{x:.3f}}<extra></extra>",
        row=1,
        col=2,
    )
    figure.add_bar(
        x=np.arange(1, width + 1),
        y=sums.mean(axis=0),
        marker={"color": KEY, "line": {"width": 0}},
        name=_("BatchNorm: a mean for each dimension"),
        hovertemplate=f"{_('dimension')} %{{x}}: %{{y:.3f}}<extra></extra>",
        row=2,
        col=1,
    )
    figure.update_layout(
        legend=LEGEND_ABOVE,
        bargap=0,
        legend_font_color=theme.text,
    )
