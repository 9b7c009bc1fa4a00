"""A search for similar places of a head: by query and key, by words, or by its output.

A place is a query of a sentence of the corpus with the key at which it looks most.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.decoding.steps import Progress
from model.measures.atlas.atlas import Atlas
from model.measures.atlas.running import batches
from model.measures.atlas.stages import head_sites
from model.sites.sites import Head, attention_site
from model.translator import Translator
from model.words import is_special, words_of


@dataclass(frozen=True)
class Found:
    """A place: the sentence, its query and key, the weight of that link, and the nearness."""

    sentence: int
    query: int
    key: int
    weight: float
    near: float


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of a head at places (P): q (P, Dk), k of its strongest key, and z.

    `places` (P, 3) are sentence, query and key; `weights` (P,) the weights of these links.
    """

    places: NDArray[np.int64]
    weights: NDArray[np.float32]
    q: NDArray[np.float32]
    k: NDArray[np.float32]
    z: NDArray[np.float32]

    def sample(self, count: int) -> "Vectors":
        """Return `count` of the places, drawn at random, but always the same."""
        some = np.random.default_rng(0).permutation(len(self.places))[:count]
        return Vectors(
            self.places[some], self.weights[some], self.q[some], self.k[some], self.z[some]
        )


def vectors_of(
    translator: Translator,
    atlas: Atlas,
    head: Head,
    sentences: Sequence[int],
    progress: Progress = lambda _done, _all: None,
) -> Vectors:
    """Run the model over sentences of an index and return a head's vectors at all queries.

    Special tokens can be keys here but not queries. The run begins at the last stage before the
    head that the index keeps for these sentences.
    """
    names = [attention_site(head.kind, head.layer, part) for part in ("q", "k", "z", "weights")]
    rows: list[list[NDArray[np.float32]]] = [[], [], [], []]
    places: list[tuple[int, int, int]] = []
    ids = [ids_of(translator, atlas, number) for number in sentences]
    stages = atlas.stages
    if stages and max(sentences, default=0) >= len(stages):
        stages = None
    done = 0
    for batch in batches(translator.model, ids):
        some = [sentences[at] for at in batch]
        rows_of = [ids[at] for at in batch]
        sites = head_sites(translator.model, rows_of, head, frozenset(names), stages, some)
        q, k, z, weights = (sites[name][:, head.head].numpy() for name in names)
        for row, number in enumerate(some):
            queries, keys = atlas.tokens(head.kind, number)
            at = [n for n, token in enumerate(queries) if not is_special(token)]
            looks = weights[row, at, : len(keys)]  # Q K
            strongest = looks.argmax(1)
            places += [(number, query, int(key)) for query, key in zip(at, strongest, strict=True)]
            for part, vectors in zip(
                rows, (q[row, at], k[row, strongest], z[row, at], looks.max(1)), strict=True
            ):
                part.append(vectors)
        done += len(some)
        progress(done, len(ids))
    q, k, z, weights = (np.concatenate(part) for part in rows)
    return Vectors(np.array(places, np.int64).reshape(-1, 3), weights, q, k, z)


def ids_of(translator: Translator, atlas: Atlas, number: int) -> tuple[list[int], list[int]]:
    """Return the ids of a sentence and of its translation, without the translation's end token."""
    source, target = atlas.pieces(number)
    return (
        [translator.tokenizer.id(token) for token in source],
        [translator.target_tokenizer.id(token) for token in target],
    )


def by_scores(
    vectors: Vectors, q: NDArray[np.floating], k: NDArray[np.floating], count: int
) -> list[Found]:
    """Find places whose query suits this key, and whose key suits this query.

    Nearness is the smaller of two scores, q k / sqrt(d_k): of this query (Dk,) with a place's key,
    and of a place's query with this key. All keys and queries are centred on their means, so that
    no place is near only because its key suits every query, or its query every key.
    """
    root = np.sqrt(len(q))
    with_query = (vectors.k - vectors.k.mean(0)) @ (q - vectors.q.mean(0)) / root
    with_key = (vectors.q - vectors.q.mean(0)) @ (k - vectors.k.mean(0)) / root
    return _ranked(vectors, np.minimum(with_query, with_key), count)


def by_output(vectors: Vectors, z: NDArray[np.floating], count: int) -> list[Found]:
    """Find places where the head's output is nearly the same, by the cosine of its z (Dk,)."""
    sizes = np.linalg.norm(vectors.z, axis=1) * np.linalg.norm(z)
    return _ranked(vectors, vectors.z @ z / np.maximum(sizes, 1e-12), count)


def _ranked(vectors: Vectors, near: NDArray[np.floating], count: int) -> list[Found]:
    """Return the nearest places, at most one from each sentence."""
    by_sentence: dict[int, Found] = {}
    for at in np.argsort(-near, kind="stable"):
        sentence, query, key = map(int, vectors.places[at])
        by_sentence.setdefault(
            sentence, Found(sentence, query, key, float(vectors.weights[at]), float(near[at]))
        )
        if len(by_sentence) == count:
            break
    return list(by_sentence.values())


@dataclass(frozen=True)
class Said:
    """Places with two words, strongest first; `asked` counts all queries of the first word.

    `looks` counts the queries that look most at the second word.
    """

    found: tuple[Found, ...]
    looks: int
    asked: int


def by_words(atlas: Atlas, head: Head, query: str, key: str, count: int) -> Said:
    """Find queries of word `query` that look most at word `key`, ignoring case.

    In a word of several pieces, only the piece with the largest weight is a query.
    """
    looks, weights = atlas.strongest(head)
    places: list[Found] = []
    asked, start = 0, 0
    for number in range(len(atlas)):
        queries, keys = atlas.tokens(head.kind, number)
        offset, start = start, start + len(queries)
        of_key = _word_of_pieces(keys)
        for word in words_of(queries):
            if word.text.lower() != query.lower():
                continue
            asked += 1
            word_weights = weights[offset + word.first : offset + word.last + 1]
            at = word.first + int(word_weights.argmax())
            strongest, weight = int(looks[offset + at]), int(word_weights.max()) / 255
            if of_key[strongest] == key.lower():
                places.append(Found(number, at, strongest, weight, weight))
    places.sort(key=lambda place: -place.weight)
    return Said(tuple(places[:count]), len(places), asked)


def _word_of_pieces(tokens: Sequence[str]) -> list[str]:
    return [
        word.text.lower()
        for word in words_of(tokens)
        for _piece in range(word.first, word.last + 1)
    ]
