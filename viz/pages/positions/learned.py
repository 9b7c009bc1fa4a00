"""Learned positions beside sinusoids: both tables, and the cosines between positions."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.cosines import cosines
from viz.figures.labels import Number
from viz.figures.subplots import subplots
from viz.figures.theme import Theme, signed_axis, styled
from viz.language.text import _

Array = NDArray[np.floating]


def agreement(own: Array, other: Array, rows: int) -> float:
    """Return the correlation of two tables' cosines over all pairs of the first `rows`."""
    pairs = np.triu_indices(rows, k=1)
    first, second = (cosines(table[:rows])[pairs] for table in (own, other))
    return float(np.corrcoef(first, second)[0, 1])


def by_distance(table: Array, rows: int, apart: int) -> float:
    """Return the mean cosine of positions this far apart, in the first `rows` rows of (P, D)."""
    return float(np.diagonal(cosines(table[:rows]), apart).mean())


def learned_figure(sinusoids: Array, learned: Array, seen: int, theme: Theme) -> go.Figure:
    """Draw two tables (P, D), and below them the cosines of their positions (P, P).

    A dashed line marks the end of the positions that training has `seen`.
    """
    titles = []
    for name, table in ((_("sinusoids"), sinusoids), (_("learned"), learned)):
        largest = Number(_largest(table))
        titles.append(
            _("{name}: values from \u2212{largest:.2g} to {largest:.2g}").format(
                name=name, largest=largest
            )
        )
    titles += [_("how alike: sinusoids"), _("how alike: learned")]
    figure = subplots(2, 2, subplot_titles=titles, vertical_spacing=0.22, horizontal_spacing=0.1)
    for column, table in enumerate((sinusoids, learned), start=1):
        largest = _largest(table)
        figure.add_heatmap(
            z=table.astype(np.float32),
            zmin=-largest,
            zmax=largest,
            colorscale=[list(stop) for stop in theme.diverging],
            showscale=False,
            hovertemplate=f"{_('position')} %{{y}}<br>{_('dimension')} %{{x}}<br>%{{z:.3f}}"
            "<extra></extra>",
            row=1,
            col=column,
        )
        figure.add_heatmap(
            z=cosines(table).astype(np.float32),
            coloraxis="coloraxis",
            hovertemplate="%{y} | %{x}: %{z:.2f}<extra></extra>",
            row=2,
            col=column,
        )
        _mark(figure, seen, column, theme)
        figure.update_xaxes(title=_("dimension"), showgrid=False, row=1, col=column)
        figure.update_xaxes(title=_("position"), showgrid=False, row=2, col=column)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_yaxes(title=_("position"), col=1)
    bar = signed_axis(theme, _("cosine"))
    figure.update_layout(coloraxis=bar, coloraxis_colorbar={"len": 0.45, "y": 0.2})
    return styled(figure, theme, 620)


def _largest(table: Array) -> float:
    return float(np.abs(table).max())


def _mark(figure: go.Figure, seen: int, column: int, theme: Theme) -> None:
    line = {"color": theme.text, "width": 1.5, "dash": "dash"}
    for row in (1, 2):
        figure.add_hline(y=seen - 0.5, line=line, row=row, col=column)
    figure.add_vline(x=seen - 0.5, line=line, row=2, col=column)
