"""The map of queries and keys: every dot and every link at its place."""

import numpy as np

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.atlas.map_figure import Dot, joint_figure


def dots() -> list[Dot]:
    places = np.arange(12.0).reshape(6, 2)
    return [
        Dot(place, f"▁w{n}", "key" if n % 2 else "query", n, n % 2 == 1, n > 3, f"said {n}")
        for n, place in enumerate(places)
    ]


def test_dots_stand_at_their_places_own_ones_with_their_text() -> None:
    line = (np.array([8.0, 9.0]), np.array([10.0, 11.0]), 0.5)
    figure = joint_figure(dots(), [line], (0.3, 0.2), False, LIGHT)
    link, *drawn = traces(figure)
    assert list(link.x) == [8, 10]
    assert link.line.width == 2
    shown = sorted((x, y) for trace in drawn for x, y in zip(trace.x, trace.y, strict=True))
    assert shown == [(2 * n, 2 * n + 1) for n in range(6)]
    own = [trace for trace in drawn if trace.mode == "markers+text"]
    assert [list(trace.text) for trace in own] == [["·w4"], ["·w5"]]
    assert own[0].customdata[0].endswith("5: said 4")
    assert "30%" in layout(figure).xaxis.title.text


def test_positions_are_one_scale() -> None:
    figure = joint_figure(dots(), [], (0.3, 0.2), True, LIGHT)
    assert [list(trace.marker.color) for trace in traces(figure)] == [[0, 1, 2, 3], [4, 5]]
