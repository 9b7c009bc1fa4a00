"""Figures of a token's vector: the stream at every depth, and the part that each sublayer adds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.sites.sites import Sublayer
from viz.figures.cosines import cosines
from viz.figures.ink import inked
from viz.figures.labels import Number, sublayer_names
from viz.figures.subplots import subplots
from viz.figures.theme import LEGEND_ABOVE, Theme, styled
from viz.language.text import _

_HEIGHT = 330
SUBLAYER_COLOURS: dict[Sublayer, str] = {
    "self_attn": "#56B4E9",
    "cross_attn": "#CC79A7",
    "ffn": "#B8A800",
}


@dataclass(frozen=True)
class Part:
    """The share of a sublayer in x + sublayer(x), for each layer."""

    sublayer: Sublayer
    shares: tuple[float, ...]


def depth_names(depths: int) -> list[str]:
    """Return the names of the depths: before the first layer, and after each."""
    return [_("input"), *(_("layer {layer}").format(layer=layer) for layer in range(1, depths))]


def stream_figure(stream: NDArray[np.floating], depth: int, theme: Theme) -> go.Figure:
    """Draw one token's vectors (depth, D) and their cosines; `depth` is framed."""
    figure = subplots(
        1,
        2,
        column_widths=[0.5, 0.5],
        shared_yaxes=True,
        horizontal_spacing=0.03,
        subplot_titles=[_("The vector at each depth"), _("Similarity (cosine)")],
    )
    figure.add_trace(_vectors(stream, theme), row=1, col=1)
    figure.add_trace(_cosines(stream, theme), row=1, col=2)
    for axis in ("", "2"):
        figure.add_shape(
            type="rect",
            xref=f"x{axis} domain",
            yref=f"y{axis}",
            x0=0,
            x1=1,
            y0=depth - 0.5,
            y1=depth + 0.5,
            line={"color": theme.text, "width": 3},
        )
    figure.update_xaxes(showticklabels=False, showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return styled(figure, theme, _HEIGHT)


_BAR = {"orientation": "h", "thickness": 12, "y": -0.12, "yanchor": "top", "len": 0.4}


def _vectors(stream: NDArray[np.floating], theme: Theme) -> go.Heatmap:
    most = float(np.abs(stream).max(initial=1e-9))
    return go.Heatmap(
        z=stream,
        y=depth_names(len(stream)),
        zmin=-most,
        zmax=most,
        colorscale=[list(stop) for stop in theme.diverging],
        colorbar={**_BAR, "x": 0.24},
        hovertemplate=f"%{{y}}, {_('dimension')} %{{x}}: %{{z:.2f}}<extra></extra>",
    )


def _cosines(stream: NDArray[np.floating], theme: Theme) -> go.Heatmap:
    names, alike = depth_names(len(stream)), cosines(stream)
    written = [[f"{Number(value):.2f}" for value in row] for row in alike]
    return go.Heatmap(
        z=alike,
        x=names,
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=[list(stop) for stop in theme.diverging],
        colorbar={**_BAR, "x": 0.76, "tickvals": [-1, 0, 1]},
        text=inked(written, alike, theme.diverging, -1, 1),
        texttemplate="%{text}",
        textfont={"size": 14},
        hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
    )


def contribution_figure(parts: Sequence[Part], depth: int, theme: Theme) -> go.Figure:
    """Draw each sublayer's share, layer by layer; the layer before `depth` stands out."""
    names = depth_names(len(parts[0].shares) + 1)[1:]
    words = sublayer_names()
    figure = go.Figure()
    for part in parts:
        figure.add_bar(
            x=names,
            y=part.shares,
            name=words[part.sublayer],
            marker={
                "color": SUBLAYER_COLOURS[part.sublayer],
                "opacity": [1.0 if at == depth - 1 else 0.45 for at in range(len(names))],
            },
            text=[f"{share:.0%}" for share in part.shares],
            textposition="outside",
            textfont={"size": 14},
            cliponaxis=False,
            hovertemplate="%{x}, %{fullData.name}: %{y:.1%}<extra></extra>",
        )
    figure.update_layout(barmode="group", legend=LEGEND_ABOVE)
    figure.update_yaxes(title_text=_("share of what goes on"), tickformat=".0%", zeroline=True)
    return styled(figure, theme, _HEIGHT)
