"""The figure of the pieces of a unigram vocabulary that each round keeps and drops."""

from collections.abc import Sequence

import plotly.graph_objects as go

from model.measures.unigram import Round
from viz.figures.theme import KEY, LEGEND_ABOVE, OUTPUT, QUERY, Theme, styled
from viz.language.text import _


def rounds_figure(rounds: Sequence[Round], theme: Theme) -> go.Figure:
    """Draw a bar for each round: the pieces left, too rare, and missed least."""
    figure = go.Figure()
    names = [_("round {number}").format(number=at) for at in range(1, len(rounds) + 1)]
    parts = (
        (_("left"), [len(round_.scores) for round_ in rounds], QUERY),
        (_("expected too rarely"), [round_.too_rare for round_ in rounds], OUTPUT),
        (_("missed least"), [round_.pruned for round_ in rounds], KEY),
    )
    for name, counts, colour in parts:
        figure.add_bar(
            y=names,
            x=counts,
            name=name,
            orientation="h",
            marker={"color": colour},
            text=[str(count) if count else "" for count in counts],
            textangle=0,
            hovertemplate=f"%{{y}}, {name}: %{{x}}<extra></extra>",
        )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(title_text=_("pieces"), rangemode="tozero")
    figure.update_layout(barmode="stack", legend={**LEGEND_ABOVE, "traceorder": "normal"})
    return styled(figure, theme, 150 + 34 * len(rounds))
