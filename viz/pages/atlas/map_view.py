"""A head's queries and keys in one plane, those of the sentence above among them."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from model.sites.sites import Head
from model.translator import Run
from model.words import WORD_START, is_punctuation, is_special
from viz.compute import atlas
from viz.compute.atlas import RUN, Points, Texts
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.text import _, later
from viz.link.choice import choose_one
from viz.pages.atlas.map_figure import Dot, joint_figure
from viz.shell import state
from viz.shell.heavy import shown

SIDE, WORDS, POSITION = later("query or key"), later("kind of word"), later("position")
GroupOf = Callable[[str, bool], str]
FREQUENT = 60
"""So many pieces of the corpus count as frequent."""


def show(run: Run, texts: Texts) -> None:
    """Draw the map of the chosen head, and say how far to trust it."""
    head = state.attention_controls(run.recording)
    coloured = choose_one(_("Colour by"), [SIDE, WORDS, POSITION], "coloured")
    with shown(_("Running {count} sentences of the corpus").format(count=RUN)):
        found = atlas.points(texts, head, state.sentence())
    st.markdown(
        _(
            "The two axes hold **{share}** of what tells the vectors apart, and nearness on this "
            "map follows q·k with a rank correlation of **{agreement}** (1: always, 0: not at all)."
        ).format(
            share=f"{sum(found.joint.shares):.0%}",
            agreement=f"{Number(found.joint.agreement):.2f}",
        )
    )
    group = partial(_group, coloured, frequent=_frequent(texts))
    dots = [
        *_of_corpus(texts, head, found, group),
        *_of_sentence(run, head, found, group),
    ]
    weights = run.recording.attention(head.kind)[head.layer, head.head]
    strongest = [
        (row, int(weights[row].argmax()), float(weights[row].max())) for row in range(len(weights))
    ]
    lines = [(found.own_q[q], found.own_k[k], weight) for q, k, weight in strongest]
    figure = joint_figure(
        dots, lines, found.joint.shares, coloured == POSITION, state.current_theme()
    )
    show_figure(figure, "joint map")
    st.caption(
        _(
            "Small: queries and keys of {count} places of the corpus; large: those of the sentence "
            "above, with a line from each query to the key it looks at most. All keys were shifted "
            "by one vector, so that the centres meet, and queries and keys were scaled against "
            "each other: neither changes a single weight, as the softmax over the keys is the same."
        ).format(count=len(found.q))
    )


def _group(coloured: str, token: str, is_key: bool, frequent: frozenset[str]) -> str:
    """Name the colour of a token."""
    if coloured == SIDE:
        return _("key") if is_key else _("query")
    if is_special(token):
        return _("special token")
    if is_punctuation(token):
        return _("punctuation")
    if token in frequent:
        return _("frequent word")
    return _("other word") if token.startswith(WORD_START) else _("part of a word")


def _of_corpus(texts: Texts, head: Head, found: Points, group_of: GroupOf) -> list[Dot]:
    index = atlas.atlas(texts)
    dots: list[Dot] = []
    for place, weight, q, k in zip(
        found.vectors.places, found.vectors.weights, found.q, found.k, strict=True
    ):
        number, query, key = map(int, place)
        queries, keys = index.tokens(head.kind, number)
        said = _("looks at {key}: {weight}").format(key=keys[key], weight=f"{weight:.2f}")
        group = group_of(queries[query], False)
        dots.append(Dot(q, queries[query], group, query, False, False, said))
        said = _("looked at by {query}: {weight}").format(
            query=queries[query], weight=f"{weight:.2f}"
        )
        group = group_of(keys[key], True)
        dots.append(Dot(k, keys[key], group, key, True, False, said))
    return dots


def _of_sentence(run: Run, head: Head, found: Points, group_of: GroupOf) -> list[Dot]:
    queries, keys = run.recording.tokens(head.kind)
    weights = run.recording.attention(head.kind)[head.layer, head.head]
    dots: list[Dot] = []
    for row, (point, token) in enumerate(zip(found.own_q, queries, strict=True)):
        best = np.argsort(-weights[row])[:3]
        said = _("looks at {key}").format(
            key=", ".join(f"{keys[at]} {weights[row, at]:.2f}" for at in best)
        )
        group = group_of(token, False)
        dots.append(Dot(point, token, group, row, False, True, said))
    for column, (point, token) in enumerate(zip(found.own_k, keys, strict=True)):
        best = np.argsort(-weights[:, column])[:3]
        said = _("looked at by {query}").format(
            query=", ".join(f"{queries[at]} {weights[at, column]:.2f}" for at in best)
        )
        group = group_of(token, True)
        dots.append(Dot(point, token, group, column, True, True, said))
    return dots


def _frequent(texts: Texts) -> frozenset[str]:
    """Return the pieces that stand most often in the corpus."""
    index = atlas.atlas(texts)
    counts: Counter[str] = Counter()
    for number in range(len(index)):
        for side in index.pieces(number):
            counts.update(token for token in side if token.startswith(WORD_START))
    return frozenset(token for token, _count in counts.most_common(2 * FREQUENT))
