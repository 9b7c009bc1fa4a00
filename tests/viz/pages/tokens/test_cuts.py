import json

import numpy as np
import pytest

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.tokens.cuts import Cut, cuts_figure, edges, new_pieces, relative

BEST = Cut(("▁to", "o", "."), -10.0)


def test_edges_are_counted_in_characters() -> None:
    assert edges(["▁to", "o", "."]).tolist() == [0, 3, 4, 5]
    assert edges([]).tolist() == [0]


@pytest.mark.parametrize("character", ["é", "猫", "🦊"])
def test_the_bytes_of_a_character_share_its_width(character: str) -> None:
    data = [f"<0x{byte:02X}>" for byte in character.encode()]
    lines = edges(["a", *data, *data, "b"])
    np.testing.assert_allclose(np.diff(lines)[1:-1], 1 / len(data))
    assert lines[-1] == pytest.approx(4)


def test_broken_bytes_still_have_a_place() -> None:
    assert edges(["<0xF0>", "<0x9F>"])[-1] == pytest.approx(1)
    assert edges(["a", "<0x80>", "<0xBF>", "<0x41>"]).tolist() == [0, 1, 2, 3, 4]
    assert edges(["ab", "<0xE0>", "<0xA4>", "<0x85>", "c"])[-1] == pytest.approx(4)
    np.testing.assert_allclose(np.diff(edges(["<0xC3>", "<0xA9>"])), 0.5)
    np.testing.assert_allclose(np.diff(edges(["abc", "<0xF0>", "<0x9F>"])), [3, 0.5, 0.5])


def test_probabilities_are_relative_to_the_best() -> None:
    shares = relative([BEST, Cut(("▁too", "."), -10 - np.log(4))])
    assert shares == pytest.approx([1, 0.25])


def test_only_pieces_at_other_places_count_as_new() -> None:
    assert new_pieces(Cut(("▁", "to", "o", "."), -12.0), BEST) == [True, True, False, False]
    assert new_pieces(BEST, BEST) == [False, False, False]


def test_every_piece_of_every_cut_is_drawn_where_it_is() -> None:
    cuts = [BEST, Cut(("▁too", "."), -12.0)]
    figure = cuts_figure(cuts, LIGHT)
    drawn = {
        (row, base, length, text)
        for bar in traces(figure)
        for row, base, length, text in zip(bar.y, bar.base, bar.x, bar.text, strict=True)
    }
    assert drawn == {
        (0, 0, 3, "·to"),
        (0, 3, 1, "o"),
        (0, 4, 1, "."),
        (1, 0, 4, "·too"),
        (1, 4, 1, "."),
    }
    assert list(layout(figure).yaxis.ticktext) == [
        "\u221210.0 · the best",
        "\u221212.0 · 0.14 of the best",
    ]


def test_markup_in_a_piece_stays_text() -> None:
    written = json.dumps(
        cuts_figure([Cut(("<b>", "&"), -1.0)], LIGHT).to_plotly_json(), default=list
    )
    assert "&lt;b&gt;" in written
    assert "<b>" not in written
