"""The two sentences of the story in words, and the weights of one head on each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.measures.minimal_pairs import Slot, align, by_slot
from model.measures.swing import Swing
from model.recording.recording import Recording
from model.words import Span, Word, find_word, words_of
from viz.compute.pairs import Pair

Side = Literal["source", "target"]


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
    """The story that the first page draws; places are numbers of words from 0.

    `weights` are those of the head in both sentences, (2, query word, key word): what the first
    piece of a word gives, or in the decoder the step that writes it. `likely[n]` holds, for
    sentence n, the probabilities of the two deciding pieces. `nouns` are the words that decide in
    the first and in the second sentence; the same place twice where they are what differs.
    """

    sentences: tuple[str, str]
    source: tuple[ShownWord, ...]
    target: tuple[ShownWord, ...]
    swing: Swing
    query_side: Side
    key_side: Side
    query: int
    nouns: tuple[int, int]
    weights: NDArray[np.float64]
    likely: tuple[tuple[float, float], tuple[float, float]]


def story(pair: Pair, asked: StoryPair, swing: Swing) -> Story:
    """Put a pair of sentences and the head that decides between them into words.

    Raises ValueError when the translations do not part, or a noun is missing.
    """
    if pair.decision is None:
        raise ValueError("both translations are the same: there is no story to tell")
    sides = pair.first, pair.second
    source = [_without_special(side.run.recording.source_tokens) for side in sides]
    target = [words_of(side.run.translation.tokens) for side in sides]
    slots = [align([w.text for w in a], [w.text for w in b]) for a, b in (source, target)]
    query_side: Side = "source" if swing.kind == "encoder" else "target"
    key_side: Side = "target" if swing.kind == "decoder" else "source"
    queries, query_slots = (source, slots[0]) if query_side == "source" else (target, slots[1])
    keys, key_slots = (source, slots[0]) if key_side == "source" else (target, slots[1])
    if query_side == "source":
        query = find_word(queries[0], asked.asks)
    else:
        query = _word_at(queries[0], len(pair.decision.prefix) - 1)
    deciding = asked.source if key_side == "source" else asked.target
    weights = [
        _weights(
            side.run.recording, swing, queries[place], keys[place], query_slots, key_slots, place
        )
        for place, side in enumerate(sides)
    ]
    return Story(
        (asked.first, asked.second),
        _shown(slots[0], *source),
        _shown(slots[1], *target),
        swing,
        query_side,
        key_side,
        _slot_of(query_slots, queries[0], query, 0),
        _places(key_slots, keys, deciding),
        np.stack(weights),
        (pair.first.likely, pair.second.likely),
    )


def _places(
    slots: Sequence[Slot], sides: Sequence[Sequence[Word]], words: tuple[str, str]
) -> tuple[int, int]:
    """Return the slots of the words that decide, each found in its own sentence."""
    one, other = (
        _slot_of(slots, side, find_word(side, word), place)
        for place, (side, word) in enumerate(zip(sides, words, strict=True))
    )
    return one, other


def _without_special(tokens: Sequence[str]) -> list[Word]:
    """Leave out the end token: nobody reads it as a word."""
    return words_of(tokens[:-1])


def _word_at(words: Sequence[Word], piece: int) -> Word:
    return next(word for word in words if word.first <= piece <= word.last)


def _slot_of(slots: Sequence[Slot], words: Sequence[Word], word: Word, place: int) -> int:
    """Find the slot of a word of the first sentence (place 0) or the second (1)."""
    number = words.index(word)
    spans = [(slot.first, slot.second)[place] for slot in slots]
    return next(n for n, span in enumerate(spans) if span and span[0] <= number <= span[1])


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
