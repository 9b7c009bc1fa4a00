"""The atlas of the model in force: the roles of its heads over a corpus; cached.

It is read from the checkpoint's folder, or measured here on some texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.atlas import ATLAS, Atlas, Chosen, load_atlas
from model.measures.atlas.joint import MAPPED, Joint, Near, joint_map, near_map
from model.measures.atlas.measure import measure_heads
from model.measures.atlas.measures import Best
from model.measures.atlas.neighbours import put_in
from model.measures.atlas.prepared import searched
from model.measures.atlas.roles import ROLES, Role, Sentence, masks_of
from model.measures.atlas.search import Found, Said, Vectors, by_output, by_scores, by_words
from model.measures.atlas.search import vectors_of as vectors_in
from model.sites.sites import Head, Kind, attention_site
from viz.compute import examples, models, runs
from viz.compute.models import kept
from viz.sharing.progress import report

Texts = tuple[str, ...]
"""The texts of a measurement in the app; () means the index in the checkpoint's folder."""

MOST_TEXTS = 500
"""The most texts measured at once."""

SHOWN = 8
"""The number of sentences in a list."""


@dataclass(frozen=True, eq=False)
class Index:
    """An atlas, and those of its arrays that are in memory; None where there is no atlas."""

    atlas: Atlas | None
    arrays: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Shown:
    """A sentence of the corpus in a head: its tokens, and the strongest key of each query.

    `value` is the share of the attention that follows a role, or the nearness of a place. `asked`
    are the queries that matter; `right` is True for each whose strongest key belongs to the role.
    """

    sentence: int
    text: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    links: tuple[tuple[int, int, float], ...]
    right: tuple[bool, ...]
    value: float


@kept
def _shipped() -> Index:
    """Read the index of the model in force; None when it is missing or of other weights."""
    loaded = runs.translator()
    try:
        index = load_atlas(loaded.folder)
    except ValueError:
        return Index(None)
    return Index(index if index.about.sha256 == loaded.card.get("sha256", "") else None)


@kept
def _measured(texts: Texts) -> Index:
    known = {sentence.text: sentence for sentence in offered()}
    sentences = [known.get(text, Sentence(text)) for text in texts]
    arrays = measure_heads(runs.translator(), sentences, "", progress=report)
    return Index(Atlas(arrays), arrays)


def measure(texts: Texts) -> None:
    """Measure all heads on some texts and keep the result; reports its progress."""
    _measured(texts)


def find(texts: Texts) -> Atlas | None:
    """Return the atlas of the model in force, shipped or measured on these texts."""
    if not texts:
        return _shipped().atlas
    measured = _measured.known(texts)
    return measured.atlas if measured else None


def has_index(name: str) -> bool:
    """Return True if a model has an index in its folder, without opening it."""
    return (models.folder_of(name) / ATLAS).exists()


def atlas(texts: Texts) -> Atlas:
    """Return a known atlas; ValueError when these texts have none."""
    index = find(texts)
    if index is None:
        raise ValueError("this model has no atlas")
    return index


@kept
def offered() -> tuple[Sentence, ...]:
    """Return sentences to measure any model on, if possible those of the shipped index."""
    try:
        shipped = load_atlas(examples.SHIPPED)
    except ValueError:
        return tuple(Sentence(text) for text in examples.current().texts)
    return tuple(shipped.sentences[:200])


@kept
def best(texts: Texts) -> dict[Kind, Best]:
    """Return the surest role of each head of each kind."""
    index = atlas(texts)
    return {kind: index.best(kind) for kind in index.kinds}


def role_of(texts: Texts, head: Head) -> Role:
    """Return the surest role of a head, even if the head is not sure of it."""
    return ROLES[head.kind][int(best(texts)[head.kind].nearest[head.layer, head.head])]


@kept
def shares(texts: Texts) -> dict[Head, tuple[int, int]]:
    """Count, for each head, the sentences where it follows its role, and all with the role."""
    index = atlas(texts)
    every = [
        Head(kind, layer, head)
        for kind in index.kinds
        for layer in range(index.layers[kind])
        for head in range(index.heads)
    ]
    return {head: index.share(head, role_of(texts, head)) for head in every}


@kept
def evidence(
    texts: Texts, head: Head, role: Role, chosen: Chosen, seed: int = 0
) -> tuple[Shown, ...]:
    """Return sentences in which a head follows a role, or fails, with its links there."""
    index = atlas(texts)
    some = index.evidence(head, role, chosen, SHOWN, seed)
    links = index.links(head, [example.sentence for example in some])
    return tuple(
        _shown(index, head, example.sentence, looks, example.value, role=role)
        for example, looks in zip(some, links, strict=True)
    )


def _shown(
    index: Atlas,
    head: Head,
    number: int,
    looks: tuple[NDArray[np.int64], NDArray[np.float64]],
    value: float,
    *,
    role: Role | None = None,
    query: int | None = None,
) -> Shown:
    """Describe a sentence, with the queries of a `role` or with the single `query`."""
    queries, keys = index.tokens(head.kind, number)
    key_of, weight = looks
    rows, right = [query] if query is not None else [], [True]
    if role:
        mask = _mask(index, head.kind, role, number)
        rows = np.flatnonzero(mask.any(1)).tolist()
        right = [bool(mask[row, key_of[row]]) for row in rows]
    return Shown(
        number,
        index.texts[number],
        tuple(queries),
        tuple(keys),
        tuple((row, int(key_of[row]), float(weight[row])) for row in rows),
        tuple(right),
        value,
    )


def _mask(index: Atlas, kind: Kind, role: Role, number: int) -> NDArray[np.bool_]:
    """Return the links of a role in a sentence (Q, K)."""
    links = index.alignment(number)
    masks, _ = masks_of(kind, index.pieces(number), index.sentences[number], links)
    return masks[role]


@kept
def vectors(texts: Texts, head: Head) -> Vectors:
    """Return a head's vectors in the searched sentences of an atlas; reports its progress.

    The order of the sentences is random, so the first sentences are a fair sample.
    """
    index = atlas(texts)
    return vectors_in(runs.translator(), index, head, range(searched(index)), report)


def searched_in(texts: Texts) -> int:
    """Return how many sentences of an atlas are searched by vectors."""
    return searched(atlas(texts))


@dataclass(frozen=True, eq=False)
class Link:
    """A link of a sentence: its head, query and key, and their vectors."""

    head: Head
    query: int
    key: int
    q: NDArray[np.float32]
    k: NDArray[np.float32]
    z: NDArray[np.float32]


def link_of(sentence: str, head: Head, query: int, key: int) -> Link:
    """Return a link of a sentence in the unchanged model."""
    recording = runs.run(sentence).recording
    parts = (
        recording[attention_site(head.kind, head.layer, part)][head.head][at].copy()
        for part, at in (("q", query), ("k", key), ("z", query))
    )
    return Link(head, query, key, *parts)


def like_scores(texts: Texts, link: Link) -> tuple[Shown, ...]:
    """Find the places where a head's own queries and keys are nearest to a link."""
    return _found(texts, link.head, by_scores(vectors(texts, link.head), link.q, link.k, SHOWN))


def like_output(texts: Texts, link: Link) -> tuple[Shown, ...]:
    """Find the places where a head's output is nearly the same as at a link."""
    return _found(texts, link.head, by_output(vectors(texts, link.head), link.z, SHOWN))


@kept
def like_words(texts: Texts, head: Head, query: str, key: str) -> Said:
    """Find the places where a head looks from one word to another."""
    return by_words(atlas(texts), head, query, key, SHOWN)


def shown_words(texts: Texts, head: Head, said: Said) -> tuple[Shown, ...]:
    """Describe the places with two words."""
    return _found(texts, head, said.found)


def _found(texts: Texts, head: Head, places: tuple[Found, ...] | list[Found]) -> tuple[Shown, ...]:
    index = atlas(texts)
    links = index.links(head, [place.sentence for place in places])
    return tuple(
        _shown(index, head, place.sentence, looks, place.near, query=place.query)
        for place, looks in zip(places, links, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Points:
    """Queries and keys of a head on one map, `agreement` as `Joint` has it.

    `q` and `k` (P, 2) are the points of the places of `vectors`; `own_q` (Q, 2) and `own_k` (K, 2)
    the points of the sentence in the box. `shares` are the shares of the variance along the two
    axes, if the axes have a meaning.
    """

    vectors: Vectors
    agreement: float
    q: NDArray[np.float64]
    k: NDArray[np.float64]
    own_q: NDArray[np.float64]
    own_k: NDArray[np.float64]
    shares: tuple[float, float] | None


@kept
def points(texts: Texts, head: Head, sentence: str, neighbours: bool = False) -> Points:
    """Put a head's queries and keys, and those of a sentence, on one map.

    The map is the plane of the principal components or, with `neighbours`, a map that keeps
    neighbours: it puts each point of the sentence where the point's nearest neighbours are.
    """
    some, joint = _mapped(texts, head)
    recording = runs.run(sentence).recording
    q, k = (
        recording[attention_site(head.kind, head.layer, part)][head.head] for part in ("q", "k")
    )
    if not neighbours:
        of_corpus, of_sentence = (
            (joint.queries(a), joint.keys(b)) for a, b in ((some.q, some.k), (q, k))
        )
        return Points(some, joint.agreement, *of_corpus, *of_sentence, joint.shares)
    near = _near(texts, head)
    moved = np.concatenate([joint.moved_queries(some.q), joint.moved_keys(some.k)])
    own_q = put_in(moved, near.points, joint.moved_queries(q))
    own_k = put_in(moved, near.points, joint.moved_keys(k))
    of_corpus = np.split(near.points, 2)
    return Points(some, near.agreement, of_corpus[0], of_corpus[1], own_q, own_k, None)


@kept
def _mapped(texts: Texts, head: Head) -> tuple[Vectors, Joint]:
    """Return the places of a head on its maps, and their plane."""
    some = vectors(texts, head).sample(MAPPED)
    return some, joint_map(some.q, some.k)


@kept
def _near(texts: Texts, head: Head) -> Near:
    """Return the map of a head that keeps neighbours, from the index or newly made."""
    some, joint = _mapped(texts, head)
    return atlas(texts).near(head) or near_map(joint, some.q, some.k)
