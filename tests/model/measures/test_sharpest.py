import numpy as np
import pytest

from model.measures.sharpest import (
    Sharpest,
    content_links,
    most_mixed,
    sharpest,
    sharpest_heads,
    sharpest_kind,
)
from model.sites.sites import Kind


def test_content_is_neither_special_nor_a_mark_nor_a_bare_start_of_a_word() -> None:
    queries, keys = ["<s>", "▁le", ".", "▁", "▁chat"], ["▁the", "▁cat", ".", "▁", "</s>"]
    links = content_links(queries, keys, itself=False)
    assert links.tolist() == [
        [False] * 5,
        [True, True, False, False, False],
        [False] * 5,
        [False] * 5,
        [True, True, False, False, False],
    ]


def test_a_token_and_its_neighbours_do_not_count_within_a_sentence() -> None:
    tokens = ["▁a", "▁b", "▁c", "▁d"]
    assert not content_links([*tokens, "."], [*tokens, "."], itself=True)[:, 4].any()
    links = content_links(tokens, tokens, itself=True)
    assert np.argwhere(links).tolist() == [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]]


def test_without_content_everything_counts() -> None:
    links = content_links([".", "</s>"], [".", "▁!", "</s>"], itself=False)
    assert (links.shape, links.dtype, bool(links.all())) == ((2, 3), np.bool_, True)


def test_a_head_on_the_end_loses_against_one_on_a_word() -> None:
    queries, keys = ["<s>", "▁le", "▁chat"], ["▁the", "▁cat", "</s>"]
    weights = np.zeros((2, 2, 3, 3), np.float32)
    weights[..., 2] = 1.0  # all look at the end alone
    weights[1, 0] = [[0, 0, 1], [0.5, 0.1, 0.4], [0.1, 0.7, 0.2]]
    weights[0, 1] = [[1, 0, 0], [0.3, 0.3, 0.4], [0.1, 0.2, 0.7]]
    found = sharpest(weights, content_links(queries, keys, itself=False))
    assert (found.layer, found.head, found.query) == (1, 0, 2)
    assert abs(found.sharpness - (0.5 + 0.7) / 2) < 1e-6


def test_cross_attention_is_preferred_unless_the_encoder_is_sharper_by_far() -> None:
    def heads(cross: float) -> dict[Kind, Sharpest]:
        sharp: dict[Kind, float] = {"encoder": 0.5, "decoder": 0.9, "cross": cross}
        return {kind: Sharpest(0, 0, 0, value) for kind, value in sharp.items()}

    assert sharpest_kind(heads(0.3)) == "cross"
    assert sharpest_kind(heads(0.29)) == "encoder"


def test_without_one_of_the_two_the_sharpest_there_is_counts() -> None:
    def chosen(sharp: dict[Kind, float]) -> Kind:
        return sharpest_kind({kind: Sharpest(0, 0, 0, value) for kind, value in sharp.items()})

    assert chosen({"cross": 0.1}) == "cross"
    assert chosen({"decoder": 0.2, "encoder": 0.7}) == "encoder"
    assert chosen({"encoder": 0.2, "decoder": 0.7}) == "decoder"
    assert chosen({"decoder": 0.9, "cross": 0.1}) == "decoder"


def test_every_kind_is_measured_on_its_own_content() -> None:
    source, target = ["▁a", "▁b", "▁c", "</s>"], ["<s>", "▁x", "▁y", "▁z"]
    tokens = {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    weights: dict[Kind, np.ndarray] = {}
    links: dict[Kind, tuple[int, int]] = {"encoder": (0, 2), "decoder": (3, 1), "cross": (2, 2)}
    for kind, link in links.items():
        weights[kind] = np.full((1, 2, 4, 4), 0.1, np.float32)
        weights[kind][0, 1][link] = 0.7  # what counts
        weights[kind][0, 0, :, :] = 0.2
        weights[kind][0, 0][(3, 0) if kind == "decoder" else (0, 3)] = 0.9  # what does not
    weights["encoder"][0, 0, 1, 1] = 0.9  # its own place
    found = sharpest_heads(weights, lambda kind: tokens[kind])
    assert {kind: (one.head, one.query) for kind, one in found.items()} == {
        "encoder": (1, 0),
        "decoder": (1, 3),
        "cross": (1, 2),
    }
    assert found["encoder"].sharpness == pytest.approx((0.7 + 0.1) / 2)
    assert found["decoder"].sharpness == pytest.approx((0.7 + 0.1) / 2)
    assert found["cross"].sharpness == pytest.approx((0.7 + 0.1 + 0.1) / 3)
    other = sharpest_heads(weights, lambda kind: tokens[kind], special=lambda token: token == "▁c")
    assert (other["encoder"].head, other["encoder"].query) == (0, 0)


def test_the_row_that_mixes_most_has_the_largest_third_weight() -> None:
    weights = np.zeros((2, 1, 2, 5), np.float32)
    weights[0, 0] = [[0.5, 0.5, 0, 0, 0], [0.4, 0.3, 0.2, 0.05, 0.05]]
    weights[1, 0] = [[0.2, 0.2, 0.2, 0.2, 0.2], [0.34, 0.33, 0.33, 0, 0]]
    everywhere = np.ones((2, 5), np.bool_)
    assert most_mixed(weights, everywhere) == (1, 0, 1)
    above = everywhere.copy()
    above[1, 0] = False  # then the last row gives too little along the links
    assert most_mixed(weights, above) == (1, 0, 0)
    assert most_mixed(weights[:1], above & [False] * 2 + [True] * 3) is None
    assert most_mixed(weights[..., :3], everywhere[:, :3]) is None
