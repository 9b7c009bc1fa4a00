"""What a change does, in a sentence with its figures, and the words it is shown by."""

import re
from dataclasses import replace

import numpy as np
import pytest

from model import AblateHead
from viz.compute import effects
from viz.effect.effect import outcome_of
from viz.effect.outcome import (
    Decision,
    Likely,
    Outcome,
    deciding_place,
    lead,
    likelier_yet_worse,
    lost,
    message,
    said,
)

BEFORE = np.array([0.9, 0.8, 0.7, 0.99])


def outcome(il: float, dort: float = 0.8, text: str = "Il dort.", changed: bool = True) -> Outcome:
    """Make an outcome in which “Il” and “dort” get these probabilities, and “Elle” 4 %."""
    decision = Decision(
        Likely("", "Il", 0.9, il), Likely("", "Elle", 0.04, 0.04), Likely("", "rest", 0.06, 0.06)
    )
    beside = [Likely("Il ", "dort", 0.8, dort)]
    return Outcome(("Il dort.", text), (-1.0, -2.0), decision, beside, changed)


@pytest.mark.parametrize(
    ("after", "pairs", "focus", "place", "beside"),
    [
        ([0.9, 0.8, 0.7, 0.99], [], 2, 2, []),
        ([0.9, 0.8, 0.7, 0.99], [], None, 0, []),
        ([0.9, 0.8, 0.1, 0.99], [], None, 2, []),
        ([0.9, 0.8, 0.1, 0.99], [0], None, 0, [2]),
        ([0.1, 0.2, 0.6, 0.2], [0, 1], None, 0, [3]),
        ([0.1, 0.2, 0.6, 0.2], [0, 1], 1, 1, [0]),
        ([0.1, 0.2, 0.6, 0.2], [0, 1], 2, 0, [2]),
        ([0.9, 0.8, 0.66, 0.99], [1], 9, 1, []),
    ],
)
def test_the_deciding_words_come_first_and_the_piece_in_focus_or_that_changes_most_beside_them(
    after: list[float], pairs: list[int], focus: int | None, place: int, beside: list[int]
) -> None:
    change = np.array(after) - BEFORE
    assert deciding_place(change, pairs, focus) == (place, beside)


def test_where_nothing_changes_the_figures_say_so() -> None:
    text = said(outcome(0.899))
    assert text.startswith("“Il” 90.0 to 89.9%: the same words.")


def test_the_same_words_can_be_less_likely() -> None:
    text = said(outcome(0.5))
    assert text == "The same words, but “Il” goes from 90.0 to 50.0%."


def test_a_decoder_that_cheats_is_told_apart_from_one_that_writes() -> None:
    told = outcome(0.0)
    assert said(replace(told, ahead=True)) == (
        "The same words, written one by one, where nothing lies ahead. Given all of them at once, "
        "“Il” goes from 90.0 to 0.0%."
    )


def test_words_that_change_are_counted() -> None:
    one = said(outcome(0.9, 0.1, "Il mange."))
    assert one == (
        "1 word lost, 1 new. The probability of “dort” there, after the same beginning, goes "
        "from 80.0 to 10.0%."
    )
    assert said(outcome(0.9, 0.1, "Elle mange peu.")).startswith("No word is kept.")


def test_where_the_words_were_seen_the_probability_is_said_to_be_given_them() -> None:
    told = replace(outcome(0.9, 0.1, "Il mange."), ahead=True)
    assert said(told).endswith(
        "Given all the words, the probability of “dort” goes from 80.0 to 10.0%."
    )


def test_words_that_are_only_foreseen_leave_the_probability_to_its_bar() -> None:
    told = replace(outcome(0.9, 0.1, "Il mange."), foreseen="X", part="layer 2")
    assert said(told) == "If you press “X” (layer 2): 1 word lost, 1 new."
    gone = replace(told, texts=("Il dort.", ""), part="")
    assert said(gone) == "If you press “X”: no word is left."
    same = replace(told, texts=("Il dort.", "Il dort."), ahead=True, part="")
    assert said(same).startswith("If you press “X”: the same words, written one by one")


@pytest.mark.parametrize(
    ("place", "before"), [(0, ""), (1, "L"), (2, "L'"), (3, "L'animal "), (5, "qu'"), (6, "qu'il")]
)
def test_a_piece_has_the_beginning_of_its_word_before_it_or_the_word_before(
    place: int, before: str
) -> None:
    pieces = ("▁L", "'", "animal", "▁qu", "'", "il", ".")
    assert lead(pieces, place) == before


def test_what_is_not_pressed_is_told_as_foreseen() -> None:
    told = replace(outcome(0.5), foreseen="Let it cheat")
    assert said(told) == (
        "If you press “Let it cheat”: the same words, but “Il” goes from 90.0 to 50.0%."
    )


def test_the_rival_of_a_piece_is_told_beside_it_and_what_all_others_have() -> None:
    told = outcome(0.5)
    moved = replace(told.decision, rival=Likely("", "Elle", 0.02, 0.4))
    assert said(replace(told, decision=moved)) == (
        "The same words, but “Il” goes from 90.0 to 50.0%, “Elle” from 2.0 to 40.0%, and all other "
        "pieces from 6.0 to 6.0%."
    )


def test_as_long_as_nothing_is_changed_it_says_what_to_do() -> None:
    assert said(outcome(0.9, changed=False)).startswith("Change something")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("a b c", "a b c", ""),
        ("a b c", "L L L L L L L", "no word is kept."),
        ("a b c", "a x y z", "2 words lost, 3 new."),
        ("a b c", "a b c d", "1 word is added."),
        ("a b c", "c b a", "only the order of the words changes."),
        ("a b c", "", "no word is left."),
        ("", "a b", "2 words are added."),
        ("你好吗", "你好", "1 character lost, 0 new."),
        ("Il dort.", "Il dort", "the same words; only the punctuation changes."),
        ("Il dort.", "Il. dort bien", "1 word is added."),
        ("a b c d e", "a x c d b", "1 word lost, 1 new, 1 moved."),
        ("a b c d", "b c d a e", "0 words lost, 1 new, 1 moved."),
        ("a b c d", "b c d a.", "only the order of the words changes."),
        ("我很爱你", "很爱我他", "1 character lost, 1 new, 1 moved."),
    ],
)
def test_what_is_lost_is_counted_on_the_side_before(before: str, after: str, told: str) -> None:
    assert lost(before, after) == told


@pytest.mark.parametrize("after", ["d a b c.", "b. a d e", "e d c b a", "a x. c d b d", "b a"])
def test_as_many_words_are_marked_in_each_text_as_are_counted(after: str) -> None:
    before = "a b c d"
    lines = message(replace(outcome(0.5), texts=(before, after)))["lines"]
    marked = [sum(new and text.isalnum() for _gap, text, new in line) for line in lines]  # pyrefly: ignore
    numbers = [int(number) for number in re.findall(r"\d+", lost(before, after))]
    if not numbers:
        assert marked[0] == marked[1]
        return
    gone, new, moved = (*numbers, 0)[:3]
    assert marked == [gone + moved, new + moved]


@pytest.mark.parametrize(
    ("il", "text", "after", "warns"),
    [
        (0.5, "Il dort.", -0.5, True),  # one piece is less likely, the whole likelier
        (0.9, "Elle dort.", -0.5, True),
        (0.95, "Il dort.", -0.5, False),
        (0.5, "Il dort.", -2.0, False),
    ],
)
def test_a_likelier_translation_that_loses_a_piece_is_not_called_better(
    il: float, text: str, after: float, warns: bool
) -> None:
    assert (
        bool(likelier_yet_worse(replace(outcome(il, text=text), log_probs=(-1.0, after)))) == warns
    )


def test_a_part_of_a_word_has_no_pronoun_for_a_rival() -> None:
    """The French of *built* has the piece *il* within a word."""
    sentence = "The old bridge (built in 1890) was closed."
    off = tuple(AblateHead("encoder", layer, head) for layer in range(6) for head in range(8))
    effect = effects.effect(sentence, off)
    assert "il" in effect.pieces
    for step in range(len(effect.ids)):
        decision = outcome_of(effect, step).decision
        assert (decision.piece.text, decision.rival.text) != ("il", "elle")
