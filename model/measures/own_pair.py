"""A story about any two sentences that differ in a word: which word asks, and which words decide.

It is measured on recordings of both sentences with the same beginning of a translation, up to the
deciding step.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.measures.deciding import deciding_heads
from model.measures.minimal_pairs import Decision, Slot, align
from model.recording.recording import Recording
from model.words import Word, find_word, is_punctuation, words_of

MOVED = 0.5
"""The smallest weight that must move between two shared words for these to decide."""

Reason = Literal["empty", "long", "same", "more", "twice", "undecided", "missing"]


class NoPairError(ValueError):
    """Raised for two sentences that tell no story, with the reason.

    "empty" and "long" are about one sentence. "same" and "more": the sentences differ in no word,
    or in more than one word. "twice": the word that differs comes again later. "undecided": both
    have the same translation. "missing": one translation has no word where the other has the
    deciding word. `pieces` counts those of a sentence that is too long.
    """

    def __init__(self, reason: Reason, pieces: int = 0) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.pieces = pieces


def differing(first: Sequence[Word], second: Sequence[Word]) -> tuple[int, int]:
    """Return the places, in both sentences, of the only word in which they differ.

    Raises NoPairError when no word or several words differ, or when the word comes again later.
    """
    slots = [slot for slot in _aligned(first, second) if not slot.same]
    if not slots:
        raise NoPairError("same")
    spans = slots[0].first, slots[0].second
    if len(slots) > 1 or any(span is None or span[0] != span[1] for span in spans):
        raise NoPairError("more")
    at, other_at = (span[0] for span in spans if span)
    if not (_is_found(first, at) and _is_found(second, other_at)):
        raise NoPairError("twice")
    return at, other_at


def check_decided(
    decision: Decision | None, first: Sequence[str], second: Sequence[str], end_id: int
) -> None:
    """Raise NoPairError unless the decision is about a word in each of two translations."""
    if decision is None:
        raise NoPairError("undecided")
    step = len(decision.prefix) - 1
    if end_id in (decision.first, decision.second):
        raise NoPairError("missing")
    words = words_of(first), words_of(second)
    for slot in _aligned(*words):
        spans = slot.first, slot.second
        pieces = [
            (side[span[0]].first, side[span[1]].last) if span else None
            for side, span in zip(words, spans, strict=True)
        ]
        if None in pieces and any(span and span[0] <= step <= span[1] for span in pieces):
            raise NoPairError("missing")


def own_story(sentences: tuple[str, str], first: Recording, second: Recording) -> StoryPair:
    """Find the words of the story of two sentences.

    The word that asks is the word that all cross-attention heads together look at most, at the
    deciding step. If an encoder head moves more than `MOVED` from there, between two words that
    both sentences have, these two decide; otherwise the words that differ decide. No word asks if
    the differing word is itself looked at most, or if cross-attention decides between the two
    sentences. Raises NoPairError as `differing` does.
    """
    recordings = first, second
    sides = [words_of(recording.source_tokens[:-1]) for recording in recordings]
    differing_words = differing(*sides)
    words = tuple(side[at].text for side, at in zip(sides, differing_words, strict=True))
    # Both sentences have equally many words, each at the same place.
    shared = [
        at != differing_words[0] and all(_is_found(side, at) for side in sides)
        for at in range(len(sides[0]))
    ]
    plain = StoryPair(*sentences, "", (words[0], words[1]))
    asks = _asking(recordings, sides, shared, differing_words[0])
    if asks is None:
        return plain
    asking = replace(plain, asks=sides[0][asks].text)
    if "encoder" in first.made_by.kinds:
        moved, *deciding = _most_moved(recordings, sides, shared, asks)
        if moved > MOVED:
            return replace(asking, source=(sides[0][deciding[0]].text, sides[0][deciding[1]].text))
    return asking if deciding_heads(asking, first, second)[0].kind == "encoder" else plain


def _asking(
    recordings: Sequence[Recording],
    sides: Sequence[Sequence[Word]],
    shared: Sequence[bool],
    differs: int,
) -> int | None:
    """Return the word that the deciding step looks at most; None if that is the differing word."""
    if "cross" not in recordings[0].made_by.kinds:
        return None
    looks = np.zeros(len(sides[0]))
    for recording, side in zip(recordings, sides, strict=True):
        looks += _on_words(recording.attention("cross")[:, :, -1], side).mean(axis=(0, 1))
    looked_at = [
        at
        for at, word in enumerate(sides[0])
        if at == differs or (shared[at] and not is_punctuation(word.text))
    ]
    most = max(looked_at, key=lambda at: looks[at])
    return None if most == differs else most


def _most_moved(
    recordings: Sequence[Recording],
    sides: Sequence[Sequence[Word]],
    shared: Sequence[bool],
    asks: int,
) -> tuple[float, int, int]:
    """Return the most weight that an encoder head moves between two shared words, and these words.

    It looks from the first piece of the word that asks.
    """
    before, after = (
        _on_words(recording.attention("encoder")[:, :, side[asks].first], side)
        for recording, side in zip(recordings, sides, strict=True)
    )
    numbers = np.flatnonzero(shared)
    lost = (before - after)[..., numbers]  # L H words
    moved = np.minimum(lost[..., :, None], -lost[..., None, :]).max(axis=(0, 1))  # one other
    from_word, to_word = np.unravel_index(moved.argmax(), moved.shape)
    return float(moved.max()), int(numbers[from_word]), int(numbers[to_word])


def _on_words(weights: NDArray[np.floating], words: Sequence[Word]) -> NDArray[np.float64]:
    """Sum weights (L, H, piece) over the pieces of each word: (L, H, word)."""
    sums = [weights[..., word.first : word.last + 1].sum(-1, dtype=np.float64) for word in words]
    return np.stack(sums, axis=-1)


def _aligned(first: Sequence[Word], second: Sequence[Word]) -> list[Slot]:
    return align([word.text for word in first], [word.text for word in second])


def _is_found(words: Sequence[Word], at: int) -> bool:
    """Return True if a search by the word's text finds this place: it is the last such word."""
    return find_word(words, words[at].text) == words[at]
