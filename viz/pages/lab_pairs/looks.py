"""What one head looks at in both sentences of a pair, by words as people write them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.measures.minimal_pairs import by_slot
from model.sites.sites import Head
from model.words import SPECIAL_TOKENS, Span, Word, words_of
from viz.compute.pairs import Pair, Side

Line = Literal["source", "target"]

_BEGIN, _END = SPECIAL_TOKENS[1:3]


@dataclass(frozen=True, eq=False)
class Look:
    """A row of a head in a sentence: from a word of a line to the words of this or the other line.

    `words` are the words of both lines, special tokens included. `weights` (words of the key's
    line) are summed over a word's pieces; later words, which a decoder does not read, have 0.
    """

    words: dict[Line, list[Word]]
    lines: tuple[Line, Line]
    query: int
    weights: NDArray[np.float64]

    @property
    def key(self) -> int:
        """Return the place of the word with the largest weight."""
        return int(self.weights.argmax())

    @property
    def named(self) -> tuple[str, str]:
        """Return the texts of the query and of the word with the largest weight."""
        query, key = self.lines
        return self.words[query][self.query].text, self.words[key][self.key].text


def lines_of(side: Side) -> dict[Line, list[Word]]:
    """Return the words of a sentence and of its translation, with their begin and end tokens."""
    written = (_BEGIN, *side.run.translation.tokens, _END)
    return {"source": words_of(side.recording.source_tokens), "target": words_of(written)}


def looks(pair: Pair, head: Head, slot: int) -> tuple[Look | None, Look | None]:
    """Return the compared row of a head in both sentences, None where a sentence lacks the query.

    In the encoder it is the row of a slot of the source, elsewhere that of the deciding step.
    """
    spans = pair.slots[slot].first, pair.slots[slot].second
    first, second = (
        _look(side, head, span, len(pair.prefix))
        for side, span in zip((pair.first, pair.second), spans, strict=True)
    )
    return first, second


def _look(side: Side, head: Head, span: Span | None, steps: int) -> Look | None:
    words = lines_of(side)
    inside = head.kind == "encoder"
    lines: tuple[Line, Line] = (
        "source" if inside else "target",
        "target" if head.kind == "decoder" else "source",
    )
    rows = span if inside else (steps - 1, steps - 1)
    if rows is None:
        return None
    # A row of the decoder is named by the piece that it writes: the next piece.
    query = _place(words[lines[0]], rows[0] if inside else steps)
    weights = side.recording.attention(head.kind)[head.layer, head.head]
    keys = [_within(word, steps if lines[1] == "target" else None) for word in words[lines[1]]]
    return Look(words, lines, query, np.nan_to_num(by_slot(weights, [rows], keys)[0]))


def written_word(side: Side, pair: Pair) -> str:
    """Return the word of a translation that the piece after the common beginning belongs to."""
    words = lines_of(side)["target"]
    return words[_place(words, len(pair.prefix))].text


def _place(words: Sequence[Word], piece: int) -> int:
    """Return the place of the word that a piece belongs to, or of the last word."""
    holders = (number for number, word in enumerate(words) if word.first <= piece <= word.last)
    return next(holders, len(words) - 1)


def _within(word: Word, pieces: int | None) -> Span | None:
    """Return the pieces of a word among the first `pieces` pieces; None if it has none there."""
    if pieces is None:
        return word.first, word.last
    return (word.first, min(word.last, pieces - 1)) if word.first < pieces else None
