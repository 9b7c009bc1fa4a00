"""The figure of all layers' gradients before the first step, with norms after and before."""

import plotly.graph_objects as go

from model.learning.beginning import FirstGradients, Norms
from model.sites.sites import STACKS
from viz.figures.labels import kind_names
from viz.figures.subplots import subplots
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _

COLOURS: dict[Norms, str] = {"after": KEY, "before": QUERY}


def gradients_figure(gradients: FirstGradients, theme: Theme) -> go.Figure:
    """Draw the gradients' lengths by layer: a line of means, and bars from least to most."""
    figure = subplots(1, 2, shared_yaxes=True, horizontal_spacing=0.04)
    names: dict[Norms, str] = {"after": _("norm after the sum"), "before": _("norm before")}
    for (norms, stack), draws in gradients.lengths.items():
        values = gradients.middle(norms, stack)
        layers = list(range(1, len(values) + 1))
        figure.add_scatter(
            x=layers,
            y=list(values),
            error_y={
                "type": "data",
                "symmetric": False,
                "array": list(draws.max(axis=0) - values),
                "arrayminus": list(values - draws.min(axis=0)),
                "thickness": 1,
            },
            name=names[norms],
            legendgroup=norms,
            showlegend=stack == STACKS[0],
            mode="lines+markers",
            line={"color": COLOURS[norms], "width": 3},
            hovertemplate=f"{names[norms]}, {_('layer')} %{{x}}: %{{y:.3f}}<extra></extra>",
            row=1,
            col=1 + STACKS.index(stack),
        )
    figure.update_xaxes(dtick=1, showgrid=False)
    for column, stack in enumerate(STACKS, start=1):
        figure.update_xaxes(
            title_text=_("{stack} layer").format(stack=kind_names()[stack]), col=column
        )
    figure.update_yaxes(type="log", tickformat=".2~g", dtick="D2")
    figure.update_yaxes(title_text=_("length of the gradient of W₂"), row=1, col=1)
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 360)
