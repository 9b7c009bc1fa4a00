"""The figure of the masks of an encoder, a decoder, and both, side by side."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.labels import kind_names, named_cells, token_label, token_ticks
from viz.figures.subplots import subplots
from viz.figures.theme import KIND_COLOURS, LEGEND_ABOVE, Theme, key_axis, query_axis, styled
from viz.language.text import _, capital
from viz.pages.layers.families import Family

HEIGHT, MOST_NAMED = 470, 40


def families_figure(
    cells: Mapping[Family, NDArray[np.int64]],
    titles: Mapping[Family, str],
    tokens: Sequence[str],
    theme: Theme,
) -> go.Figure:
    """Draw the cells (query, key) of each family; an encoder alone has only the first tokens."""
    figure = subplots(1, len(cells), subplot_titles=list(titles.values()), horizontal_spacing=0.05)
    colours = ["rgba(0,0,0,0)", *(KIND_COLOURS[kind] for kind in ("encoder", "decoder", "cross"))]
    steps = [
        [(index + side) / len(colours), colour]
        for index, colour in enumerate(colours)
        for side in (0, 1)
    ]
    for column, values in enumerate(cells.values(), start=1):
        names = [token_label(token) for token in tokens[: len(values)]]
        figure.add_heatmap(
            z=values.tolist(),
            zmin=-0.5,
            zmax=len(colours) - 0.5,
            colorscale=steps,
            showscale=False,
            xgap=1,
            ygap=1,
            customdata=named_cells(names, names),
            hovertemplate=f"{_('query')}: %{{customdata[0]}}<br>{_('key')}: %{{customdata[1]}}"
            "<extra></extra>",
            row=1,
            col=column,
        )
        shown = token_ticks(tokens[: len(values)])
        if len(tokens) > MOST_NAMED or column > 1:
            shown = {"showticklabels": False, "showgrid": False}
        figure.update_yaxes(shown, autorange="reversed", row=1, col=column)
        figure.update_xaxes(showticklabels=False, showgrid=False, row=1, col=column)
        figure.update_xaxes(title_text=key_axis(), row=1, col=column)
    figure.update_yaxes(title_text=query_axis(), row=1, col=1)
    for kind, name in kind_names().items():
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=capital(name),
            marker={"color": KIND_COLOURS[kind], "symbol": "square", "size": 13},
        )
    figure.update_layout(legend={**LEGEND_ABOVE, "y": 1.09})
    return styled(figure, theme, HEIGHT).update_layout(margin_t=80)
