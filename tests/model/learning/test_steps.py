"""How long a descent goes on, what it tells meanwhile, and what fits into it."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.learning.descent import Descent, descend
from model.learning.learner import copy_of
from model.learning.recipe import MOST_PIECES, Recipe
from model.training.data.pairs import Pair, learn_tokenizer
from model.translator import Translator

SOURCE, TARGET = "My sister drinks water.", "Ma sœur boit de l'eau."

Ids = tuple[tuple[int, ...], tuple[int, ...]]


def run(translator: Translator, ids: Ids, seconds: float = 60.0, **changes: object) -> Descent:
    recipe = replace(Recipe(steps=5, rate=0.1), **changes)  # pyrefly: ignore[bad-argument-type]
    limits = translator.limits(translator.source(SOURCE))
    given = translator.model, translator.tokenizers, *ids, limits, recipe
    return descend(*given, seconds=seconds)


@pytest.mark.parametrize(("seconds", "taken"), [(1.5, 1), (2.0, 2), (3.0, 3), (3.9, 3), (9.0, 5)])
def test_a_step_is_taken_when_it_should_end_in_time(
    translator: Translator, ids: Ids, monkeypatch: pytest.MonkeyPatch, seconds: float, taken: int
) -> None:
    """The clock goes on by a second a step."""
    clock = itertools.count()
    monkeypatch.setattr("model.learning.descent.time.thread_time", lambda: next(clock))
    assert run(translator, ids, seconds).taken == taken


def test_it_tells_how_many_steps_of_how_many(translator: Translator, ids: Ids) -> None:
    limits = translator.limits(translator.source(SOURCE))
    told: list[tuple[int, int]] = []
    descend(
        translator.model,
        translator.tokenizers,
        *ids,
        limits,
        Recipe(steps=3),
        progress=lambda done, of: told.append((done, of)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_as_many_pieces_a_side_as_fit_are_taken(translator: Translator) -> None:
    """The begin token counts on neither side."""
    source, target = (5,) * MOST_PIECES, (1, *(6,) * MOST_PIECES)
    assert run(translator, (source, target), steps=1).taken == 1
    for ids in ((source, (*target, 6)), ((*source, 5), target)):
        with pytest.raises(ValueError, match="at most 40 pieces a side fit into a descent"):
            run(translator, ids, steps=1)


def test_each_side_is_named_by_its_own_tokenizer(
    translator: Translator, ids: Ids, pairs: list[Pair]
) -> None:
    other = learn_tokenizer(pairs, 320)
    limits = translator.limits(translator.source(SOURCE))
    both = translator.tokenizer, other
    source, target = ids[0], (1, *other.encode(TARGET), 2)
    found = descend(translator.model, both, source, target, limits, Recipe(steps=1))
    assert list(found.source_tokens) == translator.tokenizer.tokens(list(source))
    assert list(found.input_tokens) == other.tokens(list(target[:-1]))


def test_an_update_of_the_run_is_what_it_changed(translator: Translator, ids: Ids) -> None:
    found = run(translator, ids, steps=1, optimizer="run", rate=1e-2)
    learner_before = copy_of(translator.model, "trained")
    size = sum(float(p.detach().norm()) ** 2 for p in learner_before.parameters()) ** 0.5
    changed = float(np.linalg.norm(found.updates[0].astype(float)))
    assert 0 < changed < 0.2 * size


@pytest.mark.parametrize("rate", [100.1, 101.0])
def test_a_rate_is_at_most_a_hundred(rate: float) -> None:
    assert Recipe(rate=100.0).rate == 100
    with pytest.raises(ValueError, match="at most 100, not"):
        Recipe(rate=rate)


def test_a_fresh_copy_leaves_the_random_numbers_as_they_were(translator: Translator) -> None:
    state = torch.get_rng_state()
    first, second = (copy_of(translator.model, "fresh") for _again in range(2))
    assert torch.equal(torch.get_rng_state(), state)
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)
