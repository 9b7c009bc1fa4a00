"""What is taken: weights times lengths of values, and the head that takes least."""

import numpy as np

from model import load_translator
from model.measures.taken import emptiest, taken, value_lengths
from model.sites.sites import attention_site
from tests.sentences import FIRST_SENTENCE


def test_a_row_on_the_longest_value_takes_all_and_one_on_a_short_value_little() -> None:
    weights = np.array([[[1, 0], [0, 1], [0.5, 0.5]]], np.float32)  # H query key
    lengths = np.array([[4, 1]], np.float32)  # H key
    np.testing.assert_allclose(taken(weights, lengths).sum(axis=-1), [[1, 0.25, 0.625]])


def test_a_head_whose_values_are_zero_takes_nothing() -> None:
    weights = np.full((1, 2, 3), 1 / 3, np.float32)
    assert not taken(weights, np.zeros((1, 3), np.float32)).any()


def test_the_emptiest_head_takes_less_than_every_other() -> None:
    recording = load_translator("en-fr").record(FIRST_SENTENCE)
    least = emptiest(recording)
    shares = dict[tuple[str, int, int], float]()
    for kind in recording.made_by.kinds:
        for layer in range(recording.made_by.layers(kind)):
            v = recording[attention_site(kind, layer, "v")].astype(float)
            for head, values in enumerate(v):
                lengths = np.sqrt((values**2).sum(axis=1))
                rows = recording.attention(kind)[layer, head] @ lengths / lengths.max()
                shares[kind, layer, head] = float(rows[int(kind == "decoder") :].mean())
                np.testing.assert_allclose(
                    value_lengths(recording, kind)[layer, head], lengths, rtol=1e-5
                )
    assert min(shares, key=lambda place: shares[place]) == (least.kind, least.layer, least.head)
