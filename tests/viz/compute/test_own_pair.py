"""Any two sentences that differ in a word tell a story, or one reason says why not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.measures.own_pair import MOVED, NoPairError, Reason
from model.words import Word, find_word, words_of
from tests.sentences import TIRED_OR_WIDE
from viz.compute import cuts, pairs, swings
from viz.compute.own_pair import MOST_PIECES, own_pair

CAT, DOG = "The cat is sleeping.", "The dog is sleeping."


def test_the_story_of_the_first_page_is_found_by_measuring() -> None:
    """The word that asks, and both that decide; those of the translation are not looked for."""
    asked = own_pair(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
    assert asked == replace(swings.story(), target=("", ""))
    assert cuts.heads(asked) == cuts.heads(swings.story())


def test_a_word_that_is_translated_itself_is_looked_at_without_another() -> None:
    assert own_pair(CAT, DOG) == StoryPair(CAT, DOG, "", ("cat", "dog"))
    (head,) = cuts.heads(own_pair(CAT, DOG))
    assert head.kind == "cross"


@pytest.mark.parametrize(
    "sentences",
    [
        (TIRED_OR_WIDE.first, TIRED_OR_WIDE.second),
        (
            "The trophy doesn't fit in the suitcase because it is too big.",
            "The trophy doesn't fit in the suitcase because it is too small.",
        ),
    ],
)
def test_words_decide_that_no_other_words_of_the_sentence_beat(sentences: tuple[str, str]) -> None:
    """Brute force over the words that all heads look at, and over what encoder heads move."""
    asked = own_pair(*sentences)
    pair = pairs.pair(*sentences)
    sides = [side.recording for side in (pair.first, pair.second)]
    words = [words_of(side.source_tokens[:-1]) for side in sides]
    looks = [
        sum(
            float(side.attention("cross")[:, :, -1, word[n].first : word[n].last + 1].sum())
            for n, side in enumerate(sides)
        )
        for word in zip(*words, strict=True)
    ]
    assert words[0][int(np.argmax(looks))].text == asked.asks
    rows = [
        side.attention("encoder")[:, :, find_word(own, asked.asks).first]
        for side, own in zip(sides, words, strict=True)
    ]
    moved = {
        (one[0].text, other[0].text): np.minimum(lost(rows, one), -lost(rows, other)).max()
        for one in zip(*words, strict=True)
        for other in zip(*words, strict=True)
        if one[0].text == one[1].text and other[0].text == other[1].text
    }
    best = max(moved, key=lambda both: moved[both])
    assert moved[best] > MOVED
    assert asked.source == best


def lost(rows: Sequence[NDArray[np.floating]], word: Sequence[Word]) -> NDArray[np.floating]:
    """Return what each head gives a word less in the second sentence."""
    before, after = (
        row[..., own.first : own.last + 1].sum(-1) for row, own in zip(rows, word, strict=True)
    )
    return before - after


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("", DOG, "empty"),
        (CAT, " \u200b ", "empty"),
        (CAT, f" {CAT} ", "same"),
        (CAT, "The dog is eating.", "more"),
        (CAT, "The cat is not sleeping.", "more"),
        ("The cat sees the cat.", "The dog sees the cat.", "twice"),
        (CAT, "cat " * MOST_PIECES, "long"),
    ],
)
def test_a_pair_that_tells_no_story_says_why(first: str, second: str, reason: Reason) -> None:
    with pytest.raises(NoPairError) as refused:
        own_pair(first, second)
    assert refused.value.reason == reason
    assert refused.value.pieces == (MOST_PIECES + 1 if reason == "long" else 0)
