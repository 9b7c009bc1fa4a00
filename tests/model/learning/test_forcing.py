from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from model.learning.example import training_example
from model.learning.forcing import FedRow, _due, feed
from model.translator import Translator

SOURCE, TARGET = "My sister drinks water.", "Ma sœur boit de l'eau."

Ids = tuple[tuple[int, ...], tuple[int, ...]]


def rows(translator: Translator, ids: Ids, ratio: float, seed: int = 0) -> tuple[FedRow, ...]:
    return feed(translator.model, translator.tokenizer, *ids, ratio, seed).rows


def test_with_the_reference_alone_it_is_the_training_example(
    translator: Translator, ids: Ids
) -> None:
    fed = feed(translator.model, translator.tokenizer, *ids, 1.0)
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    assert tuple(row.given for row in fed.rows) == example.input_tokens
    assert tuple(row.reference for row in fed.rows) == example.target_tokens
    np.testing.assert_allclose([row.loss for row in fed.rows], example.losses, rtol=1e-4)
    best = example.probabilities.argmax(axis=1).tolist()
    assert [row.said for row in fed.rows] == translator.tokenizer.tokens(best)
    np.testing.assert_allclose(
        [row.probability for row in fed.rows], example.probabilities.max(axis=1), rtol=1e-4
    )
    assert fed.parted is None
    assert not fed.ended
    assert not any(row.own for row in fed.rows)


def test_with_its_own_words_alone_it_is_a_greedy_translation(
    translator: Translator, ids: Ids
) -> None:
    fed = rows(translator, ids, 0.0)
    greedy = translator.translate(SOURCE).tokens
    said = tuple(row.said for row in fed if row.said != "</s>")
    assert said == greedy[: len(said)]
    assert all(row.own for row in fed[1:])
    for before, after in pairwise(fed):
        assert after.given == before.said


def test_each_row_is_given_what_its_draw_decides(translator: Translator, ids: Ids) -> None:
    fed = rows(translator, ids, 0.5, seed=3)
    assert fed[0].draw is None
    assert {row.own for row in fed[1:]} == {False, True}
    for before, row in pairwise(fed):
        assert row.draw is not None
        assert row.own == (row.draw >= 0.5)
        assert row.given == (before.said if row.own else before.reference)


def test_the_same_seed_draws_the_same_and_a_higher_ratio_gives_no_less(
    translator: Translator, ids: Ids
) -> None:
    assert rows(translator, ids, 0.5, 1) == rows(translator, ids, 0.5, 1)
    assert rows(translator, ids, 0.5, 1) != rows(translator, ids, 0.5, 2)
    some, more = rows(translator, ids, 0.4, 1), rows(translator, ids, 0.8, 1)
    shared = list(zip(some, more, strict=False))[1:]
    assert all(a.own or not b.own for a, b in shared)


def test_they_part_at_the_first_row_that_is_given_another_piece(
    translator: Translator, ids: Ids
) -> None:
    example = training_example(translator, translator.pair_ids(SOURCE, TARGET))
    fed = feed(translator.model, translator.tokenizer, *ids, 0.0)
    differ = [
        row
        for row, (one, other) in enumerate(zip(fed.rows, example.input_tokens, strict=False))
        if one.given != other
    ]
    assert fed.parted == differ[0]
    before = [row.loss for row in fed.rows[: fed.parted]]
    np.testing.assert_allclose(before, example.losses[: fed.parted], rtol=1e-4)


def test_its_own_words_as_the_reference_never_part(translator: Translator) -> None:
    ids = translator.pair_ids(SOURCE, translator.translate(SOURCE))
    fed = feed(translator.model, translator.tokenizer, *ids, 0.0)
    assert fed.parted is None


def test_the_rows_stop_where_the_model_would_be_given_its_end_token(
    translator: Translator, ids: Ids
) -> None:
    """A tokenizer for which the first word said is the end shows the stop."""
    said = translator.tokenizer.id(rows(translator, ids, 0.0)[0].said)
    ending = translator.tokenizer.__class__(translator.tokenizer.serialized)
    ending.end_id = said
    fed = feed(translator.model, ending, *ids, 0.0)
    assert fed.ended
    assert len(fed.rows) == 1


@pytest.mark.parametrize("ratio", [-0.1, 1.5])
def test_a_ratio_that_is_no_share_is_refused(
    translator: Translator, ids: Ids, ratio: float
) -> None:
    with pytest.raises(ValueError, match="ratio of the reference"):
        rows(translator, ids, ratio)


def test_rows_are_frozen(translator: Translator, ids: Ids) -> None:
    row = rows(translator, ids, 1.0)[0]
    assert replace(row, loss=0.0) != row
    with pytest.raises(AttributeError):
        row.loss = 0.0  # pyrefly: ignore[read-only]


def test_its_own_words_are_matched_with_the_pieces_that_are_due() -> None:
    assert _due([7, 8, 9, 2, 3, 4], [1, 6, 2, 3, 4]) == [0, 1, 1, 2, 3, 4]
    assert _due([2, 3], [1, 2, 3]) == [1, 2]
    assert _due([1, 2, 9, 3], [1, 2, 3]) == [0, 1, 2, 2]
    assert _due([1, 2, 3, 9], [1, 2, 3]) == [0, 1, 2, 2]
