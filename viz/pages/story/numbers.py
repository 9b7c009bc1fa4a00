"""The two sentences of the story as words, and what the deciding heads look at in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.interventions.attention import TurnAttention
from model.measures.minimal_pairs import Slot, align, by_slot
from model.recording.recording import Recording
from model.words import WORD_START, Span, Word, find_word, words_of
from viz.compute.cuts import ArcHead, Cuts, OtherHead, Turn, Turns
from viz.compute.pairs import Pair

SPACE = "\N{OPEN BOX}"
"""What stands for a piece that is only the space before a word."""

Side = Literal["source", "target"]

Aligned = Mapping[Side, tuple[Sequence[Sequence[Word]], Sequence[Slot]]]
"""The words of both sentences on each side, and the slots that pair them."""


@dataclass(frozen=True)
class ShownWord:
    """A word in all versions of its side: the first sentence, the second, and other versions.

    `spaced` is True if a space comes before it. `pieces` are its first and last piece in each
    sentence, from 0; None if the sentence lacks the word.
    """

    texts: tuple[str, ...]
    spaced: bool
    pieces: tuple[Span | None, Span | None]

    @property
    def changes(self) -> bool:
        """Return True if the two sentences differ in this word."""
        return self.texts[0] != self.texts[1]


@dataclass(frozen=True, eq=False)
class ShownTurn:
    """The result when an arc is turned onto a word.

    `likely` (2,) are the probabilities of the two deciding pieces, `other` is the probability of
    the likeliest other piece, and `on_keys` (arc, key) are the weights of every arc on its two
    keys. `written` is the number of the translation's version, None if it has more or fewer words
    than the sentence's own translation; `translation` is its text.
    """

    intervention: TurnAttention
    likely: tuple[float, float]
    other: float
    on_keys: tuple[tuple[float, float], ...]
    written: int | None
    translation: str


@dataclass(frozen=True, eq=False)
class Arc:
    """A head on both sentences; `query` and `keys` are numbers of words, from 0.

    `keys` are the words that decide in the first and in the second sentence. They are one place
    twice if the word at this place differs, or if there is only one word to look at. `weights`
    (sentence, query word, key word) are the unchanged model's: from the first piece of a word or,
    in the decoder, from the step that writes the word. `on_keys` (sentence, combination, key) are
    the weights on the two keys under every combination of changes. `also` are the other heads that
    look there in each sentence. `turns` (sentence, key word) are the results when the arc is turned
    onto each word, None where it cannot be turned.
    """

    head: ArcHead
    query_side: Side
    key_side: Side
    query: int
    keys: tuple[int, int]
    weights: NDArray[np.float64]
    on_keys: NDArray[np.float64]
    also: tuple[tuple[OtherHead, ...], ...]
    turns: tuple[tuple[ShownTurn | None, ...], ...] = ((), ())


@dataclass(frozen=True, eq=False)
class Story:
    """The story that the first page draws.

    The last of `arcs` belongs to the head that decides. For sentence n and the combination c of
    changes, counted as in `Cuts`, `likely[n, c]` are the probabilities of the two deciding pieces,
    and `others[n, c]` is the probability of the likeliest other piece. `written[n][c]` is the
    number of the translation's version, None if it has more or fewer words than the sentence's own
    translation, and `translations[n][c]` is its text. `carried` is the word whose memory can be
    carried over, if any. `lines` (sentence, target word, source word) are the turns of the steps
    that write words, None where there is nothing to turn or an arc does it.
    """

    sentences: tuple[str, str]
    source: tuple[ShownWord, ...]
    target: tuple[ShownWord, ...]
    arcs: tuple[Arc, ...]
    likely: NDArray[np.float64]
    others: NDArray[np.float64]
    written: tuple[tuple[int | None, ...], ...]
    translations: tuple[tuple[str, ...], ...]
    carried: int | None
    lines: tuple[tuple[tuple[TurnAttention | None, ...], ...], ...]


def story(pair: Pair, asked: StoryPair, cuts: Cuts, turns: Turns | None = None) -> Story:
    """Return the story of a pair of sentences and of the heads that decide between them.

    `turns` are the results when its arcs are turned; without `turns`, no arc can be turned.
    Raises ValueError when the translations do not part, or a word of the story is missing.
    """
    if pair.decision is None:
        raise ValueError("both translations are the same: there is no story to tell")
    sides = pair.first, pair.second
    source = [_without_special(side.run.recording.source_tokens) for side in sides]
    target = [words_of(side.run.translation.tokens) for side in sides]
    source_slots, target_slots = (
        align([w.text for w in a], [w.text for w in b]) for a, b in (source, target)
    )
    words: Aligned = {"source": (source, source_slots), "target": (target, target_slots)}
    arcs = tuple(
        _arc(pair, asked, head, (on_keys, also), words)
        for head, on_keys, also in zip(cuts.heads, cuts.weights, cuts.also, strict=True)
    )
    turns = turns or ((((),) * len(arcs),) * 2)
    after_turns = [[turn.written for arc in side for turn in arc if turn] for side in turns]
    versions, written = _versions(
        target, [[*side, *also] for side, also in zip(cuts.written, after_turns, strict=True)]
    )
    combinations = len(cuts.written[0])
    turned = [
        _turned(side, numbers[combinations:]) for side, numbers in zip(turns, written, strict=True)
    ]
    arcs = tuple(
        replace(
            arc,
            turns=tuple(_by_slot(turned[n][number], words[arc.key_side][1], n) for n in (0, 1)),
        )
        for number, arc in enumerate(arcs)
    )
    asks = find_word(source[0], asked.asks or asked.source[0])
    return Story(
        (asked.first, asked.second),
        _shown(source_slots, source[0], source[1]),
        _shown(target_slots, target[0], target[1], versions),
        arcs,
        cuts.likely,
        cuts.others,
        tuple(numbers[:combinations] for numbers in written),
        tuple(tuple(map(spoken, side)) for side in cuts.written),
        _slot_of(source_slots, source[0], asks, 0) if cuts.carries else None,
        tuple(_lines(arcs, words, number) for number in (0, 1))
        if any(map(any, turns))
        else ((), ()),
    )


def line_texts(pair: Pair, number: int, written: Sequence[str]) -> tuple[str, ...] | None:
    """Return the texts of a new translation of sentence `number` in the story's target words.

    None if the translation has more or fewer words than the sentence's own.
    """
    own = [words_of(side.run.translation.tokens) for side in (pair.first, pair.second)]
    words = words_of(written)
    if len(words) != len(own[number]):
        return None
    slots = align(*([word.text for word in side] for side in own))
    shown = _shown(slots, own[0], own[1], [(number, words)])
    return tuple(word.texts[-1] for word in shown)


def _lines(
    arcs: Sequence[Arc], words: Aligned, side: int
) -> tuple[tuple[TurnAttention | None, ...], ...]:
    """Return the turns of each step that writes a word onto each word of the source.

    An arc in cross-attention turns its own step.
    """
    (queries, query_slots), (keys, key_slots) = words["target"], words["source"]
    taken = {arc.query for arc in arcs if arc.query_side == "target"}
    one_word = [(slot.first, slot.second)[side] for slot in key_slots]
    spans = [keys[side][span[0]] if span and span[0] == span[1] else None for span in one_word]
    lines = []
    for number, slot in enumerate(query_slots):
        written = (slot.first, slot.second)[side]
        asked = written and queries[side][written[0]]
        turned = asked and number not in taken and any(map(str.isalnum, asked.text))
        lines.append(
            tuple(
                TurnAttention("cross", asked.first, tuple(range(key.first, key.last + 1)))
                if asked and turned and key
                else None
                for key in spans
            )
        )
    return tuple(lines)


def deciding_pieces(pair: Pair) -> tuple[str, str]:
    """Name the two deciding pieces; the rest of a longer word stands in brackets: "cro(chu)"."""
    step = len(pair.prefix) - 1
    one, other = (
        _in_its_word(piece, side.run.translation.tokens, step)
        for piece, side in zip(pair.pieces, (pair.first, pair.second), strict=True)
    )
    return one, other


def _in_its_word(piece: str, tokens: Sequence[str], step: int) -> str:
    text = piece.strip(WORD_START)
    word = next((one for one in words_of(tokens) if one.first <= step <= one.last), None)
    if word is None or word.first == word.last or tokens[step] != piece:
        return text or piece
    before, after = tokens[word.first : step], tokens[step + 1 : word.last + 1]
    rest = ("".join(part).strip(WORD_START) for part in (before, after))
    begun, left = (f"({part})" if part else "" for part in rest)
    return f"{begun}{text or SPACE}{left}"


def _arc(
    pair: Pair,
    asked: StoryPair,
    head: ArcHead,
    measured: tuple[NDArray[np.float64], tuple[tuple[OtherHead, ...], ...]],
    words: Aligned,
) -> Arc:
    query_side: Side = "source" if head.kind == "encoder" else "target"
    key_side: Side = "target" if head.kind == "decoder" else "source"
    (queries, query_slots), (keys, key_slots) = words[query_side], words[key_side]
    if query_side == "source":
        query = find_word(queries[0], asked.asks)
    else:
        step = len(pair.prefix) - 1
        query = next(word for word in queries[0] if word.first <= step <= word.last)
    looked_at = asked.source if key_side == "source" else asked.target
    weights = [
        _weights(
            side.run.recording, head, (queries[place], keys[place]), (query_slots, key_slots), place
        )
        for place, side in enumerate((pair.first, pair.second))
    ]
    return Arc(
        head,
        query_side,
        key_side,
        _slot_of(query_slots, queries[0], query, 0),
        _places(key_slots, keys, (asked.asks, asked.asks) if head.reads else looked_at),
        np.stack(weights),
        *measured,
    )


def _versions(
    own: Sequence[Sequence[Word]], written: Sequence[Sequence[tuple[str, ...]]]
) -> tuple[list[tuple[int, list[Word]]], tuple[tuple[int | None, ...], ...]]:
    """List the new translations that changes lead to, each with its sentence and its words.

    Also returns, for each sentence and combination, the number of its version: 0 and 1 are the
    sentences' own translations, and 2 is the first of the list. A translation with more or fewer
    words than the sentence's own translation has None.
    """
    versions: list[tuple[int, list[Word]]] = []
    numbers: list[tuple[int | None, ...]] = []
    for place, side in enumerate(written):
        side_numbers: list[int | None] = []
        for tokens in side:
            words = words_of(tokens)
            texts = [word.text for word in words]
            if texts == [word.text for word in own[place]]:
                side_numbers.append(place)
            elif len(words) != len(own[place]):
                side_numbers.append(None)
            else:
                known = [(at, [word.text for word in one]) for at, one in versions]
                if (place, texts) not in known:
                    versions.append((place, words))
                    known.append((place, texts))
                side_numbers.append(2 + known.index((place, texts)))
        numbers.append(tuple(side_numbers))
    return versions, tuple(numbers)


def _turned(
    arcs: Sequence[Sequence[Turn | None]], versions: Sequence[int | None]
) -> list[list[ShownTurn | None]]:
    """Return the turns of a sentence's arcs for the screen; `versions` has one for each turn."""
    left = iter(versions)

    def shown(turn: Turn) -> ShownTurn:
        version = next(left)
        text = spoken(turn.written) if version is None else ""
        return ShownTurn(turn.intervention, turn.likely, turn.other, turn.weights, version, text)

    return [[None if turn is None else shown(turn) for turn in arc] for arc in arcs]


def _by_slot(
    turns: Sequence[ShownTurn | None], slots: Sequence[Slot], side: int
) -> tuple[ShownTurn | None, ...]:
    """Return the turn onto each slot's word in a sentence; None unless the slot is one word."""
    spans = [(slot.first, slot.second)[side] for slot in slots]
    return tuple(
        turns[span[0]] if turns and span and span[0] == span[1] else None for span in spans
    )


def spoken(tokens: Sequence[str]) -> str:
    """Return pieces as a text."""
    words = words_of(tokens)
    return "".join(" " * word.spaced + word.text for word in words).strip()


def _places(
    slots: Sequence[Slot], sides: Sequence[Sequence[Word]], words: tuple[str, str]
) -> tuple[int, int]:
    """Return the slots of the two deciding words, each in the sentence that it decides."""
    one, other = (
        _slot_of(slots, side, find_word(side, word), place)
        for place, (side, word) in enumerate(zip(sides, words, strict=True))
    )
    return one, other


def _without_special(tokens: Sequence[str]) -> list[Word]:
    """Return the words of a source, without the end token."""
    return words_of(tokens[:-1])


def _slot_of(slots: Sequence[Slot], words: Sequence[Word], word: Word, side: int) -> int:
    """Return the slot of a word of the first sentence (place 0) or the second (1)."""
    number = words.index(word)
    spans = [(slot.first, slot.second)[side] for slot in slots]
    return next(n for n, span in enumerate(spans) if span and span[0] <= number <= span[1])


def _shown(
    slots: Sequence[Slot],
    first: Sequence[Word],
    second: Sequence[Word],
    versions: Sequence[tuple[int, Sequence[Word]]] = (),
) -> tuple[ShownWord, ...]:
    shown: list[ShownWord] = []
    sides = (0, first), (1, second), *versions
    for slot in slots:
        spans, texts, spaced = (slot.first, slot.second), [], True
        for number, words in sides:
            span = spans[number]
            part = words[span[0] : span[1] + 1] if span else []
            texts.append("".join(" " * word.spaced + word.text for word in part).strip())
            spaced = part[0].spaced if part else spaced
        pieces = _pieces(slot, first, 0), _pieces(slot, second, 1)
        shown.append(ShownWord(tuple(texts), spaced, pieces))
    return tuple(shown)


def _weights(
    recording: Recording,
    head: ArcHead,
    words: tuple[Sequence[Word], Sequence[Word]],
    slots: tuple[Sequence[Slot], Sequence[Slot]],
    place: int,
) -> NDArray[np.float64]:
    """Return a head's weights by slots (Q, K): from a query's first piece to all of a key's.

    `words` and `slots` are those of the queries and of the keys.
    """
    weights = recording.attention(head.kind)[head.layer, head.head]
    # Row t of the decoder writes piece t of the translation, whose key is at t + 1.
    later = int(head.kind == "decoder")
    rows, columns = (
        [_pieces(slot, side, place) for slot in of_side]
        for side, of_side in zip(words, slots, strict=True)
    )
    return np.nan_to_num(
        by_slot(
            weights,
            [row and (row[0], row[0]) for row in rows],
            [span and (span[0] + later, span[1] + later) for span in columns],
        )
    )


def _pieces(slot: Slot, words: Sequence[Word], side: int) -> Span | None:
    """Return the first and the last piece of a slot in a sentence, or None."""
    span = (slot.first, slot.second)[side]
    return span and (words[span[0]].first, words[span[1]].last)
