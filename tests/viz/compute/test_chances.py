"""The probabilities of the next words under a change, by another way: the forced recording."""

import numpy as np
import pytest

from model import TurnAttention, load_translator
from model.interventions.base import Intervention
from model.results import Run
from tests.sentences import FIRST_SENTENCE
from viz.compute import effects
from viz.compute.chances import step_chances


def onto(word: str) -> TurnAttention:
    tokens = load_translator().source(FIRST_SENTENCE).tokens
    return TurnAttention("encoder", tokens.index("▁it"), (tokens.index(word),), ((5, 3),))


def test_the_step_that_changes_most_is_read_in_both_models() -> None:
    turn = onto("▁street")
    chances = step_chances(FIRST_SENTENCE, (turn,))
    effect = effects.effect(FIRST_SENTENCE, (turn,))
    change = np.abs(effect.likely_after - effect.likely_before)
    assert chances.step == int(change.argmax())
    assert chances.pieces[0] == effect.pieces[chances.step].strip("▁")
    own = effect.ids[chances.step]
    assert (chances.before[0], chances.after[0]) == pytest.approx(effect.likely(chances.step, own))
    assert max(chances.after) == chances.after[1]
    assert not chances.stays


@pytest.mark.parametrize("changes", [(), (onto("▁animal"),)])
def test_a_change_that_moves_no_word_is_said_to_leave_the_translation(
    changes: tuple[Intervention, ...],
) -> None:
    chances = step_chances(FIRST_SENTENCE, changes, 3)
    texts = {run.translation.text for run in map(run_of, (changes, ()))}
    assert chances.step == 3
    assert chances.stays == (len(texts) == 1)


def run_of(changes: tuple[Intervention, ...]) -> Run:
    return load_translator().run(FIRST_SENTENCE, changes)


def test_a_step_that_the_translation_lacks_gives_way_to_the_one_that_changes_most() -> None:
    turn = onto("▁street")
    assert step_chances(FIRST_SENTENCE, (turn,), 99) == step_chances(FIRST_SENTENCE, (turn,))
