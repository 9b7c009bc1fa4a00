"""Similar places of a head in the corpus: by its query and key, by the words, by its output."""

import streamlit as st

from model.results import Run
from model.sites.sites import Head
from model.words import words_of
from viz.compute import atlas
from viz.compute.atlas import Shown, Texts
from viz.figures.theme import KEY, QUERY, key_axis, query_axis
from viz.language.text import _, later
from viz.language.wording import escaped
from viz.link.choice import choose_one
from viz.pages.atlas.evidence_list import evidence_list
from viz.pages.atlas.rows import rows_of
from viz.shell import state
from viz.shell.heavy import shown
from viz.shell.token_choice import choose_key, choose_token

SCORES, WORDS, OUTPUT = (
    later("by its query and key"),
    later("by the words"),
    later("by what it writes"),
)


def show(run: Run, texts: Texts) -> None:
    """Draw the choice of a link of the sentence, and the similar places of the corpus."""
    recording = run.recording
    head = state.attention_controls(recording)
    queries, keys = recording.tokens(head.kind)
    query = choose_token(query_axis(), queries, head.kind, "query", QUERY)
    strongest = int(recording.attention(head.kind)[head.layer, head.head, query].argmax())
    key = choose_key(key_axis(), keys, head.kind, strongest, KEY)
    some, every = atlas.searched_in(texts), len(atlas.atlas(texts))
    counts = {SCORES: some, WORDS: every, OUTPUT: some}
    part, whole = (
        _("{way} · in {count} of {every} sentences"),
        _("{way} · in all {every} sentences"),
    )
    ways = {
        way: (whole if count == every else part).format(
            way=_(way), count=f"{count:,}", every=f"{every:,}"
        )
        for way, count in counts.items()
    }
    alike = choose_one(_("Alike"), ways, "alike", bare=True)
    if alike == WORDS:
        rows = _by_words(texts, head, _word(queries, query), _word(keys, key))
    else:
        with shown(_("Searching the corpus")):
            link = atlas.link_of(state.sentence(), head, query, key)
            look = atlas.like_scores if alike == SCORES else atlas.like_output
            rows = look(texts, link)
        st.caption(_explained(alike, some))
    if rows:
        evidence_list(rows_of(rows, head), head.kind == "cross", "where else")
    else:
        st.info(_("There is no such sentence in this corpus."))


def _word(tokens: list[str], token: int) -> str:
    """Return the word of a piece."""
    return next(word.text for word in words_of(tokens) if word.first <= token <= word.last)


def _by_words(texts: Texts, head: Head, query: str, key: str) -> tuple[Shown, ...]:
    search = atlas.like_words(texts, head, query, key)
    st.caption(
        _(
            "“{query}” stands {asked} times in the corpus; {looks} times it looks most at “{key}”. "
            "The figure is the weight."
        ).format(query=escaped(query), key=escaped(key), asked=search.asked, looks=search.looks)
    )
    return atlas.shown_words(texts, head, search)


def _explained(alike: str, count: int) -> str:
    if alike == SCORES:
        return _(
            "The figure is a score, q·k / √dₖ: the smaller one of this query with the key found "
            "there, and of the query there with this key. The mean query and key are taken off, so "
            "that only what is special about them counts. {count} sentences of the corpus, drawn "
            "at random, are searched."
        ).format(count=count)
    return _(
        "The figure is the cosine of the two outputs z: 1 where the head writes the same. {count} "
        "sentences of the corpus, drawn at random, are searched."
    ).format(count=count)
