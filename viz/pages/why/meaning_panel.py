"""The view of a word with two meanings: its vectors in two sentences, and the nearest words."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.checkpoints.examples import Meanings
from model.results import Run
from model.words import WORD_START
from viz.components.two_texts import marked_columns
from viz.compute import examples, runs, weights
from viz.figures.figure import show_figure
from viz.figures.labels import Number, token_label
from viz.figures.table import show_table
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import edits
from viz.pages.why.meaning_figure import likeness_figure
from viz.pages.why.meanings import Likeness, likeness, neighbours, place_of
from viz.shell import state
from viz.shell.finding import say

NEAREST, _OWN = 5, "a word of your own"


def meaning_panel(run: Run) -> None:  # noqa: ARG001
    """Draw the choice of a word and two sentences, and compare its vectors in them."""
    known = {each.word: each for each in examples.current().meanings}
    if not known:
        st.info(_("The examples of this model have no word with two meanings."))
        return
    example = _choose(known)
    if example is None:
        return
    answer = st.container()
    columns = st.columns(2)
    sentences = [
        column.text_input(label, sentence, key=f"meaning {example.word} {label}", max_chars=400)
        for column, label, sentence in zip(
            columns, (_("in this sentence"), _("in that one")), example.sentences, strict=True
        )
    ]
    try:
        runs_of = [runs.run(sentence, edits.interventions()) for sentence in sentences]
        positions = tuple(place_of(example.word, each.recording.source_tokens) for each in runs_of)
    except ValueError:
        st.info(_missing(example.word))
        return
    if len({" ".join(sentence.split()) for sentence in sentences}) == 1:
        words_ = _("Write two sentences in which “{word}” means something else.")
        st.info(words_.format(word=escaped(example.word)))
        return
    translations = [each.translation.text for each in runs_of]
    marked_columns((translations[0], translations[1]), (_("**Translation**"), _("**Translation**")))
    if tuple(sentences) == example.sentences and any(example.target):
        st.markdown(_verdict(example.told_apart(translations), example.target))
    streams = [each.recording.stream("encoder") for each in runs_of]
    compared = likeness(streams[0], streams[1], (positions[0], positions[1]))
    with answer:
        say(finding(example.word, compared))
    figure = likeness_figure(compared, token_label(example.word), state.current_theme())
    show_figure(figure, "likeness", tools=False)
    _nearest(
        example.word,
        [stream[:, position] for stream, position in zip(streams, positions, strict=True)],
    )


def finding(word: str, compared: Likeness) -> str:
    """Say how alike the word's vectors are in both sentences, at first and in the end."""
    first, last = (Number(float(compared.same[at])) for at in (0, -1))
    return _(
        "How alike are the two “{word}”? As embeddings with their positions, cosine "
        "**{first:.2f}**; after layer {layers}, **{last:.2f}**."
    ).format(word=escaped(word), first=first, last=last, layers=len(compared.same) - 1)


def _missing(word: str) -> str:
    """Say what must be changed: the word or the sentences."""
    try:
        place_of(word, runs.source(word).tokens)
    except ValueError:
        words_ = _("The model does not read “{word}” as one piece: choose another word.")
    else:
        words_ = _("Both sentences must have the word “{word}” as a piece of its own.")
    return words_.format(word=escaped(word))


def _choose(known: dict[str, Meanings]) -> Meanings | None:
    """Draw the choice of a word, perhaps the reader's own; None until that is typed."""
    words = [*known, _OWN]
    chosen = st.pills(
        _("A word"),
        words,
        format_func=lambda word: _("a word of your own") if word == _OWN else escaped(word),
        default=words[0],
        required=True,
        key="word",
    )
    if chosen != _OWN:
        return known.get(str(chosen), next(iter(known.values())))
    own = st.text_input(_("Your word"), key="own meaning", max_chars=40, width=240)
    word = str(own or "").strip()
    if not word:
        st.info(_("Type a word, and then two sentences in which it means something else."))
        return None
    return Meanings(word, (f"{word}.", f"{word}."), ("", ""))


def _verdict(told: tuple[bool, bool], target: tuple[str, str]) -> str:
    """Say whether the translations tell the meanings apart."""
    if all(told):
        words = _("Translated as two meanings: *{one}* here, *{other}* there.")
    else:
        words = _("**Not** translated as two meanings: *{one}* and *{other}* were expected.")
    return words.format(one=escaped(target[0]), other=escaped(target[1]))


def _nearest(word: str, vectors: Sequence[NDArray[np.float32]]) -> None:
    """List the pieces with the nearest embeddings at every depth, for both sentences."""
    vocabulary = weights.vocabulary()
    rows = [neighbours(own, vocabulary.units, NEAREST, vocabulary.mute) for own in vectors]
    if all(
        vocabulary.tokens[ids[0]].strip(WORD_START).lower() == word.lower()
        for row in rows
        for ids in row
    ):
        st.markdown(
            _(
                "In every row the word itself stays nearest: its meaning changes the vector less "
                "than the word does."
            )
        )
    nearest = [
        [", ".join(token_text(vocabulary.tokens[id_]) for id_ in ids) for ids in row]
        for row in rows
    ]
    show_table(
        {
            _("after encoder layer"): [str(depth) for depth in range(len(nearest[0]))],
            _("nearest in this sentence"): nearest[0],
            _("nearest in that one"): nearest[1],
        },
    )
    st.caption(
        _(
            "Nearest: the pieces, of both languages, whose embeddings have the largest cosine to "
            "the word's vector. The decoder reads the last layer by way of cross-attention only; "
            "no layer was trained to be read like this."
        )
    )
