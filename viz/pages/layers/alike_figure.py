"""The figure of how alike the weights of any two layers are."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.sites.sites import Stack
from viz.figures.ink import inked
from viz.figures.labels import Number, kind_names
from viz.figures.subplots import subplots
from viz.figures.theme import Theme, signed_axis, styled
from viz.language.text import _, capital


def alike_figure(cosines: dict[Stack, NDArray[np.floating]], theme: Theme) -> go.Figure:
    """Draw the cosines (L, L) of both stacks side by side."""
    titles = [capital(kind_names()[stack]) for stack in cosines]
    figure = subplots(1, 2, subplot_titles=titles, horizontal_spacing=0.08)
    for column, values in enumerate(cosines.values(), start=1):
        written = [
            [f"{Number(round(value, 2) + 0.0):.2f}" for value in row.tolist()] for row in values
        ]
        names = [str(layer) for layer in range(1, len(values) + 1)]
        figure.add_heatmap(
            z=values.tolist(),
            x=names,
            y=names,
            coloraxis="coloraxis",
            text=inked(written, values, theme.diverging, -1, 1),
            texttemplate="%{text}",
            textfont={"size": 14},
            hovertemplate="%{y}, %{x}: %{z:.4f}<extra></extra>",
            row=1,
            col=column,
        )
    figure.update_xaxes(title_text=_("layer"), type="category", showgrid=False)
    figure.update_yaxes(type="category", autorange="reversed", showgrid=False)
    figure.update_yaxes(title_text=_("layer"), row=1, col=1)
    figure.update_layout(coloraxis=signed_axis(theme, _("cosine")))
    return styled(figure, theme, 420).update_layout(margin_t=60)
