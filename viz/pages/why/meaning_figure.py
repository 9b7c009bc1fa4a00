"""The figure of the similarity of a word's vectors in two sentences, layer by layer."""

import plotly.graph_objects as go

from viz.figures.labels import Number
from viz.figures.theme import KEY, LEGEND_ABOVE, QUERY, Theme, styled
from viz.language.text import _
from viz.pages.why.meanings import Likeness


def likeness_figure(shown: Likeness, word: str, theme: Theme) -> go.Figure:
    """Draw both cosines by depth."""
    names = [_("embedding and position"), *(str(depth) for depth in range(1, len(shown.same)))]
    figure = go.Figure()
    lines = (
        (shown.same, QUERY, _("“{word}” here and “{word}” there").format(word=word)),
        (shown.others, KEY, _("“{word}” here and the other words there, mean").format(word=word)),
    )
    for values, colour, name in lines:
        figure.add_scatter(
            x=names,
            y=values,
            mode="lines+markers+text",
            text=[f"{Number(value):.2f}" for value in values],
            textposition="top center",
            line={"color": colour, "width": 3},
            name=name,
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        )
    figure.update_yaxes(title_text=_("cosine"), range=[-0.3, 1.15])
    figure.update_xaxes(title_text=_("after encoder layer"), type="category")
    figure.update_layout(legend=LEGEND_ABOVE)
    return styled(figure, theme, 340)
