"""The letters of figures on stage."""

from typing import Any

import plotly.graph_objects as go
import pytest

from viz.figures.labels import token_ticks
from viz.figures.letters import LEAST, for_stage
from viz.figures.theme import LIGHT, styled


def sizes(part: Any) -> list[float]:  # noqa: ANN401  plain data
    """Return all sizes of letters in a figure's plain data."""
    if isinstance(part, list | tuple):
        return [size for one in part for size in sizes(one)]
    if not isinstance(part, dict):
        return []
    own = [one["size"] for name, one in part.items() if name.endswith("font") and "size" in one]
    return own + [size for one in part.values() for size in sizes(one)]


def heatmap(places: int, height: int = 600) -> go.Figure:
    names = [f"▁token{place}" for place in range(places)]
    figure = go.Figure(go.Heatmap(z=[[0.5] * places] * places, textfont={"size": 12}))
    figure.update_xaxes(token_ticks(names), side="top", tickangle=-45, tickfont={"size": 9})
    figure.update_yaxes(token_ticks(names), tickfont={"size": 14}, title={"text": "query"})
    figure.add_annotation(text="a note", font={"size": 11})
    return styled(figure, LIGHT, height)


def test_no_letter_is_smaller_than_a_class_can_read() -> None:
    found = sizes(for_stage(heatmap(5)).to_plotly_json())
    assert len(found) >= 6
    assert min(found) >= LEAST


def test_a_figure_is_as_high_as_its_place_on_stage() -> None:
    assert for_stage(heatmap(5, height=600)).layout["height"] == 750


def test_larger_letters_stay() -> None:
    figure = heatmap(5).update_layout(title={"text": "one", "font": {"size": 30}})
    assert for_stage(figure).to_plotly_json()["layout"]["title"]["font"]["size"] == 30


@pytest.mark.parametrize(("places", "share"), [(60, 1.0), (16, 0.4)])
def test_an_axis_names_as_many_places_as_have_room(places: int, share: float) -> None:
    axis = for_stage(heatmap(places), share).to_plotly_json()["layout"]["xaxis"]
    assert 1 < len(axis["ticktext"]) < places
    assert len(axis["tickvals"]) == len(axis["ticktext"])
    assert axis["ticktext"][1] == f"·token{axis['tickvals'][1]}"


def test_a_short_sentence_keeps_all_its_names() -> None:
    layout = for_stage(heatmap(10)).to_plotly_json()["layout"]
    assert len(layout["xaxis"]["ticktext"]) == len(layout["yaxis"]["ticktext"]) == 10


def test_a_margin_that_holds_a_text_grows_with_it() -> None:
    figure = heatmap(3).update_layout(margin={"t": 106}).update_xaxes(automargin=False)
    assert for_stage(figure).to_plotly_json()["layout"]["margin"]["t"] == 136
