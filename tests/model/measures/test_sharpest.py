import numpy as np

from model.measures.sharpest import Sharpest, content_links, sharpest, sharpest_kind
from model.recording.sites import Kind


def test_content_is_neither_special_nor_a_mark() -> None:
    links = content_links(["<s>", "▁le", ".", "▁chat"], ["▁the", "▁cat", ".", "</s>"], itself=False)
    assert links.tolist() == [
        [False] * 4,
        [True, True, False, False],
        [False] * 4,
        [True, True, False, False],
    ]


def test_a_token_and_its_neighbours_do_not_count_within_a_sentence() -> None:
    tokens = ["▁a", "▁b", "▁c", "▁d"]
    links = content_links(tokens, tokens, itself=True)
    assert np.argwhere(links).tolist() == [[0, 2], [0, 3], [1, 3], [2, 0], [3, 0], [3, 1]]


def test_without_content_everything_counts() -> None:
    assert content_links([".", "</s>"], [".", "</s>"], itself=True).all()


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
