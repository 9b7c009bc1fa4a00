import numpy as np
import pytest

from model.measures.head_roles import (
    Mean,
    Roles,
    aligned_sums,
    antecedent_sums,
    best_head,
    key_sums,
    position_sums,
)


def one_head(rows: list[list[float]]) -> np.ndarray:
    """Weights (query, key) as those of one layer with one head."""
    return np.array(rows, np.float32)[None, None]


SHIFTED = one_head([[1, 0, 0], [0.9, 0.1, 0], [0.2, 0.7, 0.1]])


def test_a_head_that_looks_back_scores_as_previous_token() -> None:
    mean = Mean()
    mean.add(*position_sums(SHIFTED, -1))
    assert mean.value() == pytest.approx((0.9 + 0.7) / 2)


def test_same_and_next_are_the_other_diagonals() -> None:
    assert position_sums(SHIFTED, 0)[0].item() == pytest.approx(1.2)
    total, queries = position_sums(SHIFTED, 1)
    assert total.item() == pytest.approx(0)
    assert queries == 2


def test_weight_on_keys_is_summed_over_keys_and_queries() -> None:
    total, queries = key_sums(SHIFTED, [1, 2])
    assert total.item() == pytest.approx(0.1 + 0.8)
    assert queries == 3
    assert key_sums(SHIFTED, []) == (0, 0)


def test_means_weigh_sentences_by_their_queries() -> None:
    mean = Mean()
    mean.add(np.array([[2.0]]), 2)
    mean.add(np.array([[0.0]]), 6)
    assert mean.value() == pytest.approx(0.25)
    with pytest.raises(ValueError, match="nothing to measure"):
        Mean().value()


def test_strongest_word_sums_its_pieces_before_it_is_compared() -> None:
    # keys: two pieces of word 0, one of word 1, the end token; word 0 wins only when summed
    weights = one_head([[0.3, 0.3, 0.4, 0.0], [0.1, 0.1, 0.7, 0.1], [0.0, 0.0, 0.4, 0.6]])
    links = frozenset({(0, 0), (1, 1), (1, 2)})
    hits, queries = aligned_sums(weights, [0, 1, 2], [0, 1, 2], [0, 0, 1, -1], links)
    assert hits.item() == 2  # the last query looks at the end token
    assert queries == 3


def test_queries_without_an_aligned_word_do_not_count() -> None:
    weights = one_head([[1.0, 0.0]])
    assert aligned_sums(weights, [0], [0], [0, -1], frozenset())[1] == 0


def test_an_antecedent_is_counted_against_the_other_noun() -> None:
    weights = one_head([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.5, 0.0, 0.5]])
    total, queries = antecedent_sums(weights, [1, 2], [0], [2])
    assert total.item() == pytest.approx(0.6 - 0.1 + 0.5 - 0.5)
    assert queries == 2


def test_roles_gather_sentences_of_any_length() -> None:
    roles = Roles("encoder")
    roles.add_positions(SHIFTED, ["▁a", "▁!", "</s>"])
    roles.add_positions(one_head([[0, 1], [1, 0]]), ["▁a", "</s>"])
    roles.add_antecedent(SHIFTED, [2], [1], [0])
    found = {name: value.item() for name, value in roles.scores().items()}
    assert found["previous"] == pytest.approx((0.9 + 0.7 + 1) / 3)
    assert found["end"] == pytest.approx((0.1 + 1) / 5)
    assert found["punctuation"] == pytest.approx((0.1 + 0.7) / 3)
    assert found["antecedent"] == pytest.approx(0.5)
    with pytest.raises(ValueError, match="nothing to measure"):
        Roles("cross").scores()


def test_the_best_head_is_counted_from_one() -> None:
    best = best_head("encoder", "next", np.array([[0.1, 0.2], [0.7, 0.3]]))
    assert (best.layer, best.head, best.value) == (2, 1, 0.7)
    assert best.to_dict()["score"] == "next"
