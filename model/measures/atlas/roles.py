"""The roles that a head may have, and the share of its attention on the keys of each role.

A role is a set of keys for some queries of a sentence: for `previous`, the key just before. The
score of a head is its weight (0 to 1) on those keys. Its `chance` is the weight of uniform
attention on these keys or, where two nouns compete, the head's weight on the other noun.

previous, next, same    the key just before, just after, at the query's own place
first, end, punctuation the first key, the end token, punctuation marks
aligned_given           source pieces of the words that translate the word the query was given
aligned_predicted       the same for the word that the query predicts
antecedent              from "it" to the noun that it stands for (encoder); from the query that
                        predicts il or elle to that noun (cross)
subject                 from a verb behind an auxiliary to its subject, not its neighbour
noun                    from an adjective behind a verb to the noun that it is said of
ne                      from the query that predicts *pas* to *ne* or *n'*
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.measures.head_roles import END_TOKEN, Links
from model.sites.sites import Kind
from model.words import Word, is_punctuation, words_of

Role = Literal[
    "previous",
    "next",
    "same",
    "first",
    "end",
    "punctuation",
    "aligned_given",
    "aligned_predicted",
    "antecedent",
    "subject",
    "noun",
    "ne",
]

ROLES: dict[Kind, tuple[Role, ...]] = {
    "encoder": (
        *("previous", "next", "same", "first", "end", "punctuation"),
        *("antecedent", "subject", "noun"),
    ),
    "decoder": ("previous", "same", "first", "punctuation", "ne"),
    "cross": (
        *("first", "end", "punctuation", "aligned_given", "aligned_predicted", "antecedent"),
    ),
}
"""The measured roles of each kind of attention."""

Masks = Mapping[Role, NDArray[np.bool_]]
"""The links (query, key) of a role; a query without a link does not count for the role."""


@dataclass(frozen=True)
class Grammar:
    """Grammar of a source text, found without the model: a role, and words numbered from 0.

    `against` are the words that the keys are compared with, such as the other noun. In
    cross-attention the query predicts one of the words `said`.
    """

    role: Role
    query: int
    keys: tuple[int, ...]
    against: tuple[int, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """A source text and its grammar, which applies while the text has the same number of words."""

    text: str
    grammar: tuple[Grammar, ...] = ()
    words: int = 0


def allowed(kind: Kind, queries: int, keys: int) -> NDArray[np.bool_]:
    """Return where a query (row) may look (column); in the decoder it may not look ahead."""
    every = np.ones((queries, keys), bool)
    return np.tril(every) if kind == "decoder" else every


def place_masks(kind: Kind, queries: int, keys: Sequence[str]) -> dict[Role, NDArray[np.bool_]]:
    """Return the links of the roles that depend on the places of the keys; `keys` are tokens."""
    shape = queries, len(keys)
    may = allowed(kind, *shape)
    choice = may.sum(1, keepdims=True) > 1  # with only one visible key there is no choice
    columns: dict[Role, list[int]] = {
        "first": [0],
        "end": [at for at, key in enumerate(keys) if key == END_TOKEN],
        "punctuation": [at for at, key in enumerate(keys) if is_punctuation(key)],
    }
    offsets: dict[Role, int] = {"previous": -1, "next": 1, "same": 0}
    masks: dict[Role, NDArray[np.bool_]] = {}
    for role in ROLES[kind]:
        if role in columns:
            mask = np.zeros(shape, bool)
            mask[:, columns[role]] = True
        elif role in offsets:
            mask = np.eye(*shape, offsets[role], dtype=bool)
        else:
            continue
        masks[role] = mask & may & choice
    return masks


def aligned_masks(
    queries: int, keys: int, source: Sequence[Word], target: Sequence[Word], links: Links
) -> dict[Role, NDArray[np.bool_]]:
    """Return the links of cross-attention that follow an alignment of words, from 0.

    `target` are the words of the target's tokens without the begin token: row n predicts piece n,
    row n + 1 reads it.
    """
    reads, predicts = np.zeros((queries, keys), bool), np.zeros((queries, keys), bool)
    for s, t in links:
        columns = slice(source[s].first, source[s].last + 1)
        rows = slice(target[t].first, target[t].last + 1)
        predicts[rows, columns] = True
        reads[rows.start + 1 : rows.stop + 1, columns] = True
    return {"aligned_given": reads, "aligned_predicted": predicts}


def ne_masks(target: Sequence[Word], queries: int) -> dict[Role, NDArray[np.bool_]]:
    """Return the decoder's links from the row that predicts *pas* to the *ne* or *n'* before it.

    `target` are words of the target's tokens without the begin token.
    """
    mask = np.zeros((queries, queries), bool)
    written: Word | None = None
    for word in target:
        spelt = word.text.lower()
        if spelt in ("ne", "n'"):
            written = word
        elif spelt == "pas" and written and word.first - written.last <= 6:
            # The piece after the begin token is piece 0, so its column is 1.
            mask[word.first, written.first + 1 : written.last + 2] = True
            written = None
    return {"ne": mask}


def grammar_masks(
    kind: Kind,
    shape: tuple[int, int],
    sentence: Sentence,
    source: Sequence[Word],
    target: Sequence[Word],
) -> tuple[dict[Role, NDArray[np.bool_]], dict[Role, NDArray[np.bool_]]]:
    """Return, by role, the links of a sentence's grammar and the links to `against`.

    `source` may count the end token as a word. Returns no links where the model cuts the text into
    another number of words.
    """
    masks: dict[Role, NDArray[np.bool_]] = {}
    against: dict[Role, NDArray[np.bool_]] = {}
    words = [word for word in source if word.text != END_TOKEN]
    for grammar in sentence.grammar if len(words) == sentence.words else ():
        if grammar.role not in ROLES[kind]:
            continue
        for by_role, numbers in ((masks, grammar.keys), (against, grammar.against)):
            mask = by_role.setdefault(grammar.role, np.zeros(shape, bool))
            for row in _rows(kind, grammar, words, target):
                for number in numbers:
                    mask[row, words[number].first : words[number].last + 1] = True
    return masks, against


def _rows(
    kind: Kind, grammar: Grammar, source: Sequence[Word], target: Sequence[Word]
) -> list[int]:
    """List the queries: all pieces of the word; in cross-attention the row that predicts it."""
    if kind == "encoder":
        return list(range(source[grammar.query].first, source[grammar.query].last + 1))
    starts = [word.first for word in target if word.text.lower() in grammar.said]
    return starts[-1:] if kind == "cross" else []


def masks_of(
    kind: Kind,
    tokens: tuple[Sequence[str], Sequence[str]],
    sentence: Sentence,
    links: Links = frozenset(),
) -> tuple[dict[Role, NDArray[np.bool_]], dict[Role, NDArray[np.bool_]]]:
    """Return, by role, the links in a sentence and its translation, and the links to other nouns.

    `tokens` are the source's, with the end token last, and the target's, with the begin token
    first. `links` align the words of both, without these two tokens.
    """
    source, written = words_of(tokens[0]), words_of(tokens[1][1:])
    queries = len(tokens[0] if kind == "encoder" else tokens[1])
    keys = tokens[1] if kind == "decoder" else tokens[0]
    masks = place_masks(kind, queries, keys)
    if kind == "cross":
        masks |= aligned_masks(queries, len(keys), source, written, links)
    if kind == "decoder":
        masks |= ne_masks(written, queries)
    of_grammar, against = grammar_masks(kind, (queries, len(keys)), sentence, source, written)
    return masks | of_grammar, against


def masses(
    weights: NDArray[np.floating], masks: Sequence[NDArray[np.bool_]]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum weights (L, H, Q, K) over each of R masks (Q, K), (R, L, H), and count its queries, (R,).

    A query counts for a mask where the mask has a key for it.
    """
    stacked = np.stack(masks).astype(np.float64)  # R Q K
    sums = np.tensordot(stacked, weights.astype(np.float64), axes=((1, 2), (2, 3)))  # R L H
    return sums, stacked.any(-1).sum(-1)


def even(kind: Kind, mask: NDArray[np.bool_]) -> float:
    """Sum the weight of uniform attention on the keys of a mask (Q, K), over its queries."""
    seen = allowed(kind, *mask.shape).sum(-1)
    return float((mask.sum(-1) / seen).sum())
