"""Figures of several parts are plotly's, only sooner."""

import json

from plotly.graph_objects import Figure
from plotly.subplots import make_subplots

from tests.viz.drawn import layout
from viz.figures.subplots import subplots


def drawn(figure: Figure) -> object:
    figure.add_bar(x=[1, 2], y=[3, 4], row=1, col=2)
    figure.update_xaxes(title_text="number", row=1, col=2)
    return json.loads(str(figure.to_json()))


def test_a_figure_is_that_of_plotly_and_belongs_to_nobody_else() -> None:
    options = {"subplot_titles": ["left", "right"], "shared_yaxes": True, "column_widths": [1, 2]}
    wanted = drawn(make_subplots(1, 2, **options))
    for _ in range(2):  # the second would show what was drawn into the first
        assert drawn(subplots(1, 2, **options)) == wanted


def test_other_options_are_another_figure() -> None:
    both = [subplots(1, 2, subplot_titles=[one, "b"]) for one in "ac"]
    titles = [layout(one).annotations[0].text for one in both]
    assert titles == ["a", "c"]
