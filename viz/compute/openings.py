"""The first view of pages before any choice: a head and a token with something to see."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.measures.sharpest import (
    Sharpest,
    Weights,
    content_links,
    most_mixed,
    sharpest,
    sharpest_heads,
    sharpest_kind,
)
from model.sites.sites import Head, Kind
from model.words import WORD_START, find_word, words_of
from viz.compute import ancestors, cuts, examples, pairs, runs, swings
from viz.compute.models import kept

CLEAR = 0.4
"""The weight that a head must move between the two words, so that its kind opens at it."""


@dataclass(frozen=True)
class Opening:
    """The head, query and step to look at first in a sentence, all 0-based.

    `kind` is the kind of attention and `heads` the layer and head of each kind; `word` is a piece
    of the source, `step` a row of the decoder. With `measured`, the token matters: the head was
    found by comparing this sentence with another sentence.
    """

    kind: Kind
    heads: tuple[tuple[Kind, int, int], ...]
    word: int
    step: int
    measured: bool = False

    def head(self, kind: Kind) -> tuple[int, int]:
        """Return the layer and the head of a kind; (0, 0) where the model lacks the kind."""
        return self.places().get(kind, (0, 0))

    def places(self) -> dict[Kind, tuple[int, int]]:
        """Return the layer and the head of every kind that the model has."""
        return {kind: (layer, head) for kind, layer, head in self.heads}

    @property
    def query(self) -> int:
        """Return the first query of the kind to look at."""
        return self.word if self.kind == "encoder" else self.step


@kept
def opening(sentence: str) -> Opening:
    """Find the head to open at: the deciding head in known sentences, else a readable head.

    The readable head is the cross-attention head that looks most often at the word that its row
    writes next, as measured for the checkpoint; without measures, it is the sharpest head. It is
    found in the unchanged model. Raises ValueError when there is nothing to translate.
    """
    recording = runs.run(sentence).recording
    kinds = recording.made_by.kinds
    weights: Weights = {kind: recording.attention(kind) for kind in kinds}
    by_kind = sharpest_heads(weights, recording.tokens)
    story = examples.current().story
    if story and sentence in (story.first, story.second):
        try:
            return _deciding(story, sentence, by_kind)
        except ValueError:
            pass  # no head decides in this checkpoint: the sentence opens like any other
    aligned = ancestors.best_aligned()
    if aligned and "cross" in kinds:
        layer, head = aligned
        links = content_links(*recording.tokens("cross"), itself=False)
        looks = weights["cross"][layer : layer + 1, head : head + 1]
        by_kind["cross"] = replace(sharpest(looks, links), layer=layer, head=head)
    fallback = Sharpest(0, 0, 0, 0.0)  # for a model without attention of this kind
    word, step = (by_kind.get(kind, fallback).query for kind in ("encoder", "cross"))
    kind = "cross" if aligned or not by_kind else sharpest_kind(by_kind)
    return Opening(kind, _flat(_places(by_kind)), word, step)


@dataclass(frozen=True)
class Mixing:
    """A head and one of its queries, which mixes several keys; 0-based."""

    kind: Kind
    layer: int
    head: int
    query: int

    @property
    def place(self) -> Head:
        """Return the head alone."""
        return Head(self.kind, self.layer, self.head)


@kept
def mixing(sentence: str) -> tuple[Mixing, ...]:
    """Find the head that mixes most between words, in the unchanged model; () if none does.

    In the story's sentences, it is a head whose asking word looks most at what it stands for. In
    other sentences it is a cross-attention head, and only steps that begin a word count. Raises
    ValueError when there is no sentence.
    """
    recording = runs.run(sentence).recording
    opened = opening(sentence)
    if opened.measured and opened.kind == "encoder":
        return (_mixing_like(recording.attention("encoder"), *opened.head("encoder"), opened.word),)
    if "cross" not in recording.made_by.kinds:
        return ()
    queries, keys = recording.tokens("cross")
    written = (*queries[1:], "")  # the last step writes the end token
    links = content_links(written, keys, itself=False)
    starts = np.array([piece.startswith(WORD_START) for piece in written])
    mixed = most_mixed(recording.attention("cross"), links & starts[:, None])
    return (Mixing("cross", *mixed),) if mixed else ()


def _mixing_like(weights: NDArray[np.floating], layer: int, head: int, query: int) -> Mixing:
    """Find the head that mixes most among those whose query has the same key with most weight.

    A head mixes more if the third-largest weight of its row is larger.
    """
    rows = weights[:, :, query]  # L H key
    same = rows.argmax(axis=-1) == rows[layer, head].argmax()
    third = np.where(same, np.sort(rows, axis=-1)[..., -3:].min(axis=-1), -1)  # L H
    cell = np.unravel_index(third.argmax(), third.shape)
    return Mixing("encoder", int(cell[0]), int(cell[1]), query)


def _deciding(story: StoryPair, sentence: str, by_kind: dict[Kind, Sharpest]) -> Opening:
    """Open at the heads of the story's arcs, in the kind whose head moves most weight."""
    widest, *narrower = swings.swings(story)
    prefix = pairs.pair(story.first, story.second).prefix
    heads = _places(by_kind)
    clear = (swing for swing in narrower if swing.moved >= CLEAR)
    arcs = (*clear, *cuts.heads(story))
    heads |= {head.kind: (head.layer, head.head) for head in arcs}
    words = words_of(runs.run(sentence).recording.source_tokens)
    return Opening(
        widest.kind,
        _flat(heads),
        find_word(words, story.asks or story.source[sentence == story.second]).first,
        len(prefix) - 1,
        measured=True,
    )


def _places(by_kind: dict[Kind, Sharpest]) -> dict[Kind, tuple[int, int]]:
    return {kind: (head.layer, head.head) for kind, head in by_kind.items()}


def _flat(places: dict[Kind, tuple[int, int]]) -> tuple[tuple[Kind, int, int], ...]:
    return tuple((kind, layer, head) for kind, (layer, head) in places.items())
