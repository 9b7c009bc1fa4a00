import json
import zlib

import numpy as np
import pytest

from viz.pages.positions.clocks import FINE, pack
from viz.pages.positions.settings import Settings
from viz.pages.positions.table import Layout, pair_of, pair_places, wavelengths


def opened(sent: bytes) -> tuple[dict, np.ndarray, np.ndarray]:
    """The header, the curves (P, F, 2) and the table (length, D) of a message."""
    length = int.from_bytes(sent[:4], "little")
    header = json.loads(sent[4 : 4 + length])
    (_name, size, pairs), (_other, _one, table) = header["arrays"]
    body = zlib.decompress(sent[4 + length :])
    end = size * int(np.prod(pairs))
    return (
        header,
        np.frombuffer(body[:end], "<f4").reshape(pairs),
        np.frombuffer(body[end:], np.uint8).reshape(table),
    )


@pytest.mark.parametrize("layout", ["interleaved", "two halves"])
def test_each_chosen_dimension_is_drawn_with_its_pair(layout: Layout) -> None:
    settings = Settings(100, 12, 8, layout)
    header, pairs, table = opened(pack([5, 0], settings, ["▁A", "</s>"]))
    whole = settings.table()
    assert [pair["chosen"] for pair in header["pairs"]].count([True, True]) == 0
    for drawn, pair in zip(pairs, header["pairs"], strict=True):
        np.testing.assert_allclose(drawn[::FINE], whole[:, pair["dimensions"]], atol=1e-6)
        np.testing.assert_allclose((drawn**2).sum(axis=1), 1, atol=1e-6)  # the hand has one length
    np.testing.assert_allclose(table / 127.5 - 1, whole, atol=1 / 250)
    assert header["tokens"] == ["▁A", "</s>"]


def test_a_pair_says_how_long_it_takes_to_go_round() -> None:
    header, _pairs, _table = opened(pack([0, 1, 96], Settings(10000, 64, 256, "interleaved"), []))
    assert [pair["chosen"] for pair in header["pairs"]] == [[True, True], [True, False]]
    assert [pair["wave"] for pair in header["pairs"]] == [
        "once round in 6.3 positions",
        f"once round in {wavelengths(256, 10000)[48]:.0f} positions",
    ]


def test_a_sentence_longer_than_the_table_ends_with_it() -> None:
    assert opened(pack([0], Settings(100, 8, 8, "two halves"), ["a"] * 9))[0]["tokens"] == ["a"] * 8


@pytest.mark.parametrize(
    ("tokens", "opens"),
    [(["▁A", "▁cat", ".", "</s>"], 1), (["▁?", "</s>"], 0), (["▁a"] * 9 + ["</s>"], 7)],
)
def test_it_opens_on_the_last_word(tokens: list[str], opens: int) -> None:
    assert opened(pack([0], Settings(100, 8, 8, "two halves"), tokens))[0]["opens"] == opens


def test_without_dimensions_there_is_still_the_vector() -> None:
    _header, pairs, table = opened(pack([], Settings(100, 12, 8, "interleaved"), ["a"]))
    assert (pairs.shape, table.shape) == ((0, 11 * FINE + 1, 2), (12, 8))


def test_a_dimension_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dimensions must be 0 to 7, not \[8\]"):
        pack([0, 8], Settings(100, 12, 8, "interleaved"), [])


def test_pairs_and_places_agree() -> None:
    layouts: tuple[Layout, ...] = ("interleaved", "two halves")
    for layout in layouts:
        for dimension in range(8):
            assert dimension in pair_places(pair_of(dimension, 8, layout), 8, layout)
