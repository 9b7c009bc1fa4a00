"""A head's queries and keys on one map, from the corpus and from the sentence above."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.results import Run
from model.sites.sites import Head
from model.words import WORD_START, is_punctuation, is_special
from viz.compute import atlas, runs
from viz.compute.atlas import Points, Texts
from viz.figures.labels import Number
from viz.figures.theme import HEAD_COLOURS, KEY, QUERY, token_text
from viz.language.text import _, later
from viz.link.choice import choose_one
from viz.pages.atlas.joint_map import Dot, Scale, joint_map
from viz.pages.atlas.position_colours import LAST, colour_of_position, ramp
from viz.shell import state
from viz.shell.heavy import shown

SIDE, WORDS, POSITION = later("query or key"), later("kind of word"), later("position")
EXACT, NEIGHBOURS = later("two exact axes"), later("neighbours together")

FREQUENT, STRONGEST = 60, 3
"""The number of frequent pieces on each side, and of links of a dot."""


@dataclass(frozen=True, eq=False)
class Place:
    """A query or a key: its point (2,), token and position, the text `said` of it, and its links.

    A link has the number of another place, and the weight.
    """

    at: NDArray[np.float64]
    token: str
    position: int
    is_key: bool
    own: bool
    said: str
    links: tuple[tuple[int, float], ...]


Coloured = tuple[list[Dot], list[tuple[str, str]], Scale | None]


def show(run: Run, texts: Texts) -> None:
    """Draw the map of the chosen head, and say how far it can be trusted."""
    head = state.attention_controls(run.recording)
    row = st.container(horizontal=True, gap="medium", key="map choices")
    way = choose_one(_("Map"), [EXACT, NEIGHBOURS], "map", row=row, bare=True)
    coloured = choose_one(_("Colour by"), [SIDE, WORDS, POSITION], "coloured", row=row, bare=True)
    try:
        with shown(_("Searching the corpus")):
            points = atlas.points(texts, head, state.sentence(), way == NEIGHBOURS)
    except ValueError:
        st.info(_("These sentences have too few pieces for this map: measure on more of them."))
        return
    st.markdown(_trust(points))
    plain = runs.run(
        state.sentence()
    )  # unchanged, like the corpus: changes may make it write other words
    places = [*_of_corpus(texts, head, points), *_of_sentence(plain, head, points)]
    joint_map(*_coloured(places, coloured, _frequent(texts)), _axes(points), "joint map")
    st.caption(_explained(points))


def _trust(points: Points) -> str:
    agreement = f"{Number(points.agreement):.2f}"
    if points.shares is None:
        return _(
            "This map keeps neighbours together, as far as two dimensions can; how far apart the "
            "others are says nothing. Nearness follows q·k with a rank correlation of "
            "**{agreement}** (1: always, 0: not at all)."
        ).format(agreement=agreement)
    return _(
        "The two axes hold **{share}** of what tells the vectors apart, and nearness on this "
        "map follows q·k with a rank correlation of **{agreement}** (1: always, 0: not at all)."
    ).format(share=f"{sum(points.shares):.0%}", agreement=agreement)


def _axes(points: Points) -> tuple[str, str] | None:
    if points.shares is None:
        return None
    first, second = (f"{share:.0%}" for share in points.shares)
    return (
        _("component 1 ({share} of the variance)").format(share=first),
        _("component 2 ({share})").format(share=second),
    )


def _explained(points: Points) -> str:
    words = _(
        "Small: queries and keys of {count} places of the corpus; large: those of the sentence "
        "above, with a line from each query to the key it looks at most. All keys were shifted "
        "by one vector, so that the centres meet, and queries and keys were scaled against "
        "each other: neither changes a single weight, as the softmax over the keys is the same."
    ).format(count=len(points.q))
    if points.shares is not None:
        return words
    return f"{words} " + _(
        "This map was made of the corpus alone (t-SNE). A dot of the sentence above stands between "
        "the five dots that are nearest to it in all dimensions, the nearest counting most."
    )


def _coloured(places: Sequence[Place], by: str, frequent: frozenset[str]) -> Coloured:
    """Return the places as coloured dots, and the legend, or the scale, of the colours."""
    if by == POSITION:
        colours = [colour_of_position(place.position) for place in places]
        scale = Scale(_("position") + " 1", f"{LAST + 1}+", ramp())
        return [_dot(*each) for each in zip(places, colours, strict=True)], [], scale
    groups = [_group(by, place.token, place.is_key, frequent) for place in places]
    named = list(dict.fromkeys(groups))
    palette = [KEY if name == _("key") else QUERY for name in named] if by == SIDE else HEAD_COLOURS
    colour_of = dict(zip(named, palette, strict=False))
    dots = [_dot(place, colour_of[group]) for place, group in zip(places, groups, strict=True)]
    return dots, [] if by == SIDE else list(colour_of.items()), None


def _dot(place: Place, colour: str) -> Dot:
    x, y = map(float, place.at)
    return Dot((x, y), place.token, colour, place.is_key, place.own, place.said, place.links)


def _group(by: str, token: str, is_key: bool, frequent: frozenset[str]) -> str:
    """Return the name of a token's group, whose dots share a colour."""
    if by == SIDE:
        return _("key") if is_key else _("query")
    if is_special(token):
        return _("special token")
    if is_punctuation(token):
        return _("punctuation")
    if token in frequent:
        return _("frequent word")
    return _("other word") if token.startswith(WORD_START) else _("part of a word")


def _of_corpus(texts: Texts, head: Head, points: Points) -> list[Place]:
    """List the queries of the corpus, then the keys that these look at most."""
    index, count = atlas.atlas(texts), len(points.q)
    queries: list[Place] = []
    keys: list[Place] = []
    places, weights = points.vectors.places, points.vectors.weights
    for at, (place, weight) in enumerate(zip(places, weights, strict=True)):
        number, query, key = map(int, place)
        sides = index.tokens(head.kind, number)
        label = _("{query} looks most at {key}, with {weight}: {sentence}").format(
            query=token_text(sides[0][query]),
            key=token_text(sides[1][key]),
            weight=f"{weight:.2f}",
            sentence=index.text(number),
        )
        link = float(weight)
        queries.append(
            Place(points.q[at], sides[0][query], query, False, False, label, ((count + at, link),))
        )
        keys.append(Place(points.k[at], sides[1][key], key, True, False, label, ((at, link),)))
    return [*queries, *keys]


def _of_sentence(run: Run, head: Head, projected: Points) -> list[Place]:
    """List the queries of the sentence above, then its keys, each with its strongest links."""
    queries, keys = run.recording.tokens(head.kind)
    weights = run.recording.attention(head.kind)[head.layer, head.head]
    first = 2 * len(projected.q)
    sides = (
        (
            queries,
            keys,
            weights,
            projected.own_q,
            first + len(queries),
            _("{query} looks at {key}"),
        ),
        (keys, queries, weights.T, projected.own_k, first, _("{query} is looked at by {key}")),
    )
    places: list[Place] = []
    for is_key, (own, others, looks, points, start, words) in enumerate(sides):
        for row, (at, token) in enumerate(zip(points, own, strict=True)):
            best = np.argsort(-looks[row], kind="stable")[:STRONGEST]
            links = tuple((start + int(to), float(looks[row, to])) for to in best)
            best_words = ", ".join(f"{token_text(others[to])} {looks[row, to]:.2f}" for to in best)
            label = words.format(query=token_text(token), key=best_words)
            places.append(Place(at, token, row, bool(is_key), True, label, links))
    return places


def _frequent(texts: Texts) -> frozenset[str]:
    """Return the most frequent pieces of the corpus that begin a word."""
    index = atlas.atlas(texts)
    counts: Counter[str] = Counter()
    for number in range(len(index)):
        for side in index.pieces(number):
            counts.update(token for token in side if token.startswith(WORD_START))
    return frozenset(token for token, _count in counts.most_common(2 * FREQUENT))
