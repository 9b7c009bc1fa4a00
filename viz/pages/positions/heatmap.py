"""The figure of the whole table of positions: a row for each position."""

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.figures.subplots import subplots
from viz.figures.theme import Theme, signed_axis, styled
from viz.language.text import _
from viz.pages.positions.table import Array


def table_heatmap(
    tables: Sequence[Array], titles: Sequence[str], sentence: int, theme: Theme
) -> go.Figure:
    """Draw tables (P, D) side by side on one scale, with a line below the sentence's rows.

    Raises ValueError when the titles do not fit the tables.
    """
    if len(titles) != len(tables):
        raise ValueError(f"{len(titles)} titles given for {len(tables)} tables")
    figure = subplots(
        1, len(tables), subplot_titles=list(titles), shared_yaxes=True, horizontal_spacing=0.03
    )
    for column, table in enumerate(tables, start=1):
        figure.add_heatmap(
            z=table.astype("float32"),
            coloraxis="coloraxis",
            hovertemplate=f"{_('position')} %{{y}}<br>{_('dimension')} %{{x}}<br>%{{z:.3f}}"
            "<extra></extra>",
            row=1,
            col=column,
        )
        figure.update_xaxes(title=_("dimension"), showgrid=False, row=1, col=column)
        if sentence < len(table):
            figure.add_hline(
                y=sentence - 0.5,
                line={"color": theme.text, "width": 1.5, "dash": "dash"},
                row=1,
                col=column,
            )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_yaxes(title=_("position"), row=1, col=1)
    figure.update_layout(coloraxis=signed_axis(theme, _("value")))
    return styled(figure, theme, 520)
