"""The two sentences of the story in words, and what one head gives to each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.measures.minimal_pairs import Slot, align, by_slot
from model.measures.swing import Swing
from model.recording.recording import Recording
from model.words import Span, Word, find_word, words_of
from viz.compute.pairs import Pair
from viz.compute.swings import PronounPair

Side = Literal["english", "french"]


@dataclass(frozen=True)
class ShownWord:
    """A word as it stands in the first and in the second sentence; a space may come before it.

    `pieces` are its first and last piece in each sentence, from 0; None where it has none.
    """

    texts: tuple[str, str]
    spaced: bool
    pieces: tuple[Span | None, Span | None]

    @property
    def changes(self) -> bool:
        """Tell whether the two differ."""
        return self.texts[0] != self.texts[1]


@dataclass(frozen=True, eq=False)
class Story:
    """What the first page draws; places are numbers of words from 0.

    `weights` are those of the head in both sentences, (2, query word, key word): what the first
    piece of a word gives, or in the decoder the step that writes it. `likely[n]` holds, for
    sentence n, the probabilities of the two deciding pieces.
    """

    sentences: tuple[str, str]
    english: tuple[ShownWord, ...]
    french: tuple[ShownWord, ...]
    swing: Swing
    query_side: Side
    key_side: Side
    query: int
    nouns: tuple[int, int]
    weights: NDArray[np.float64]
    likely: tuple[tuple[float, float], tuple[float, float]]


def story(pair: Pair, asked: PronounPair, swing: Swing) -> Story:
    """Put a pair of sentences and the head that decides between them into words.

    Raises ValueError when the translations do not part, or a noun is missing.
    """
    if pair.decision is None:
        raise ValueError("both translations are the same: there is no story to tell")
    sides = pair.first, pair.second
    english = [_without_special(side.run.recording.source_tokens) for side in sides]
    french = [words_of(side.run.translation.tokens) for side in sides]
    slots = [align([w.text for w in a], [w.text for w in b]) for a, b in (english, french)]
    query_side: Side = "english" if swing.kind == "encoder" else "french"
    key_side: Side = "french" if swing.kind == "decoder" else "english"
    queries, query_slots = (english, slots[0]) if query_side == "english" else (french, slots[1])
    keys, key_slots = (english, slots[0]) if key_side == "english" else (french, slots[1])
    if query_side == "english":
        query = find_word(queries[0], asked.pronoun)
    else:
        query = _word_at(queries[0], len(pair.decision.prefix) - 1)
    nouns = asked.english if key_side == "english" else asked.french
    one, other = (_slot_of(key_slots, keys[0], find_word(keys[0], noun)) for noun in nouns)
    weights = [
        _weights(
            side.run.recording, swing, queries[place], keys[place], query_slots, key_slots, place
        )
        for place, side in enumerate(sides)
    ]
    return Story(
        (asked.first, asked.second),
        _shown(slots[0], *english),
        _shown(slots[1], *french),
        swing,
        query_side,
        key_side,
        _slot_of(query_slots, queries[0], query),
        (one, other),
        np.stack(weights),
        (pair.first.likely, pair.second.likely),
    )


def _without_special(tokens: Sequence[str]) -> list[Word]:
    """Leave out the end token: nobody reads it as a word."""
    return words_of(tokens[:-1])


def _word_at(words: Sequence[Word], piece: int) -> Word:
    return next(word for word in words if word.first <= piece <= word.last)


def _slot_of(slots: Sequence[Slot], words: Sequence[Word], word: Word) -> int:
    """Find the slot of a word of the first sentence."""
    place = words.index(word)
    spans = [slot.first for slot in slots]
    return next(n for n, span in enumerate(spans) if span and span[0] <= place <= span[1])


def _shown(
    slots: Sequence[Slot], first: Sequence[Word], second: Sequence[Word]
) -> tuple[ShownWord, ...]:
    shown: list[ShownWord] = []
    for slot in slots:
        texts, spaced = ["", ""], True
        pieces = _pieces(slot, first, 0), _pieces(slot, second, 1)
        for place, (words, span) in enumerate(((first, slot.first), (second, slot.second))):
            if span:
                part = words[span[0] : span[1] + 1]
                texts[place] = "".join(" " * word.spaced + word.text for word in part).strip()
                spaced = part[0].spaced
        shown.append(ShownWord((texts[0], texts[1]), spaced, pieces))
    return tuple(shown)


def _weights(
    recording: Recording,
    swing: Swing,
    queries: Sequence[Word],
    keys: Sequence[Word],
    query_slots: Sequence[Slot],
    key_slots: Sequence[Slot],
    place: int,
) -> NDArray[np.float64]:
    """Return the head's weights by slots: the first piece of a query word, all pieces of a key."""
    weights = recording.attention(swing.kind)[swing.layer, swing.head]
    # Row t of the decoder writes piece t of the translation; its own keys come one later.
    later = int(swing.kind == "decoder")
    rows = [_pieces(slot, queries, place) for slot in query_slots]
    columns = [_pieces(slot, keys, place) for slot in key_slots]
    return np.nan_to_num(
        by_slot(
            weights,
            [row and (row[0], row[0]) for row in rows],
            [span and (span[0] + later, span[1] + later) for span in columns],
        )
    )


def _pieces(slot: Slot, words: Sequence[Word], place: int) -> Span | None:
    """Return the first and last piece of a slot in one of the sentences."""
    span = (slot.first, slot.second)[place]
    return span and (words[span[0]].first, words[span[1]].last)
