import copy
import math

import numpy as np
import pytest
import torch

from model.measures.attribution import (
    gradient_times_input,
    leave_one_out,
    per_word,
    rank_correlation,
    rollout,
)
from model.recording.recording import Recording, record
from model.sites.tap import Editor
from model.transformer.transformer import Transformer

SOURCE, TARGET, PIECE = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61), 77


def log_prob(model: Transformer, source: tuple[int, ...], tap: Editor | None = None) -> float:
    logits = model(torch.tensor([source]), torch.tensor([TARGET]), tap or Editor({}))
    return float(logits[0, -1].double().log_softmax(dim=-1)[PIECE])


@pytest.fixture(scope="module")
def recording(model: Transformer) -> Recording:
    return record(model, SOURCE, TARGET, ["s"] * 7, ["t"] * 3)


def test_gradients_agree_with_finite_differences(model: Transformer) -> None:
    """Stretching one embedding by 1 + e moves log p by e times gradient times input."""
    double = copy.deepcopy(model).double()
    found = gradient_times_input(double, SOURCE, TARGET, PIECE)

    def stretched(place: int, by: float) -> float:
        def edit(embedding: torch.Tensor) -> torch.Tensor:
            embedding = embedding.clone()
            embedding[:, place] *= 1 + by
            return embedding

        return log_prob(double, SOURCE, Editor({"encoder.embedding": edit}))

    step = 1e-5
    expected = [
        (stretched(place, step) - stretched(place, -step)) / (2 * step)
        for place in range(len(SOURCE))
    ]
    np.testing.assert_allclose(found, expected, atol=1e-7)
    assert np.abs(found).max() > 1e-3


def test_gradients_work_where_recordings_are_made_and_leave_none_behind(
    model: Transformer,
) -> None:
    with torch.no_grad():
        inside = gradient_times_input(model, SOURCE, TARGET, PIECE)
    np.testing.assert_array_equal(inside, gradient_times_input(model, SOURCE, TARGET, PIECE))
    assert all(parameter.grad is None for parameter in model.parameters())


def test_leaving_a_word_out_is_translating_the_sentence_without_it(model: Transformer) -> None:
    words = [(0, 0), (1, 3), (5, 5)]
    falls = leave_one_out(model, SOURCE, TARGET, PIECE, words)
    whole = log_prob(model, SOURCE)
    expected = [
        whole - log_prob(model, SOURCE[:first] + SOURCE[last + 1 :]) for first, last in words
    ]
    np.testing.assert_allclose(falls, expected, atol=1e-5)


def test_the_only_word_cannot_be_left_out(model: Transformer) -> None:
    with pytest.raises(ValueError, match="nothing left"):
        leave_one_out(model, SOURCE, TARGET, PIECE, [(0, 6)])


def test_rollout_is_the_product_of_the_layers_as_matrices_over_all_pieces(
    recording: Recording,
) -> None:
    """Source and target are the nodes of one graph; every sublayer is a matrix over all of them."""
    source, target = 7, 3
    nodes = source + target
    product = np.eye(nodes)
    for weights in recording.attention("encoder"):
        layer = np.eye(nodes)
        layer[:source, :source] = (weights.mean(axis=0) + np.eye(source)) / 2
        product = layer @ product
    for own, cross in zip(
        recording.attention("decoder"), recording.attention("cross"), strict=True
    ):
        layer = np.eye(nodes)
        layer[source:, source:] = (own.mean(axis=0) + np.eye(target)) / 2
        product = layer @ product
        layer = np.eye(nodes)
        layer[source:, source:] = np.eye(target) / 2
        layer[source:, :source] = cross.mean(axis=0) / 2
        product = layer @ product
    found = rollout(recording)
    np.testing.assert_allclose(found, product[source:, :source], atol=1e-6)
    np.testing.assert_allclose(product.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1 - 0.5**3, atol=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 45], 1),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1),
        ([1, 2], [5, 7], 1),
        # 1 - 6 * sum d^2 / (n (n^2 - 1)) with d = 0, 1, -1, 1, -1
        ([1, 2, 3, 4, 5], [1, 3, 2, 5, 4], 1 - 6 * 4 / (5 * 24)),
        # ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3
        ([1, 2, 2, 3], [1, 2, 3, 4], 4.5 / math.sqrt(4.5 * 5)),
    ],
)
def test_rank_correlation(first: list[float], second: list[float], expected: float) -> None:
    found = rank_correlation(np.array(first, dtype=float), np.array(second, dtype=float))
    assert found == pytest.approx(expected)


def test_rank_correlation_of_nothing_or_a_constant_is_not_a_number() -> None:
    assert math.isnan(rank_correlation(np.ones(3), np.array([1.0, 2.0, 3.0])))
    assert math.isnan(rank_correlation(np.ones(1), np.ones(1)))
    with pytest.raises(ValueError, match="cannot be compared"):
        rank_correlation(np.ones(3), np.ones(4))


def test_the_values_of_a_words_pieces_are_added() -> None:
    sums = per_word(np.arange(12.0).reshape(2, 6), [(0, 0), (1, 4), (5, 5)])
    np.testing.assert_array_equal(sums, [[0, 10, 5], [6, 34, 11]])
    stacked = per_word(np.arange(12.0).reshape(1, 2, 6), [(0, 0), (1, 4), (5, 5)])
    np.testing.assert_array_equal(stacked, [sums])
