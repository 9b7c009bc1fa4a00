"""The views of how a text is cut into pieces: the cut that the model gets, and others."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from model.words import SPECIAL_TOKENS, WORD_START, is_unspaced
from viz.components.miniatures import vector_picture
from viz.compute import runs, weights
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.theme import token_text
from viz.language.text import _, _n, capital, later
from viz.language.wording import escaped
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.tokens import formulas
from viz.pages.tokens.cuts import Cut, cuts_figure
from viz.pages.tokens.pieces import (
    CutWord,
    PieceCard,
    cut_sentence,
    cut_words,
    legend,
    piece_cards,
    rare_characters,
)
from viz.shell import state
from viz.shell.finding import say
from viz.shell.source_code import show_source_of

NONE = later("none")
RARE = ("猫", "龘", "🦉", "Ж", "ʒ")
"""Characters for which a model may have no piece; characters with a piece are not offered."""

UNKNOWN = SPECIAL_TOKENS[3]
WHOLE = later("whole sentence")

STRONG = 0.97
"""The share of the numbers in a sentence's vectors that do not get the full colour."""


MOST_WORDS = 40


def show_pieces(run: Run) -> None:
    """Draw the cards of the sentence's pieces, and explain its rare and unknown characters."""
    tokenizer = runs.translator().tokenizer
    offered = {word: [part.id for part in tokenizer.pieces(word)] for word in RARE}
    rare = [word for word, ids in offered.items() if any(map(tokenizer.is_byte, ids))]
    unknown = [word for word, ids in offered.items() if any(map(tokenizer.is_unknown, ids))]
    picture = st.container()  # the picture comes first; the choice of a rare character is below it
    extra = choose_one(_("Add a rare character"), (NONE, *(rare or unknown)), "rare")
    text = run.source.text if extra == NONE else f"{run.source.text} {extra}"
    pieces = tokenizer.pieces(text)
    table, scale = weights.vocabulary().embedding, state.current_theme().diverging
    rows = table[[piece.id for piece in pieces]]
    most = float(np.quantile(np.abs(rows), STRONG)) if rows.size else 1.0
    cards = [
        PieceCard(
            piece.token,
            piece.id,
            piece.start,
            piece.end,
            tokenizer.is_byte(piece.id),
            vector_picture(row, most, scale),
        )
        for piece, row in zip(pieces, rows, strict=True)
    ]
    lost = [card.token for card in cards if tokenizer.is_unknown(card.id)]
    words = cut_words(text, cards)
    with picture:
        say(_finding(text, words, cards, table.shape[1]))
        with st.container(key="piece cards"):
            st.html(cut_sentence(text, cards, words))
            key, row = st.columns([1, 9])
        key.html(legend(table.shape[1], scale))
        row.html(piece_cards(cards, words, own=extra == NONE))
    _say_what_is_rare(text, cards)
    _say_what_is_unknown(lost)
    if not lost and not any(card.is_byte for card in cards):
        st.caption(_all_known(by_bytes=bool(rare), offers=bool(rare or unknown)))
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The model knows **{size} pieces**, of both languages together, learned from text "
                "by SentencePiece: frequent words are one piece, rarer ones are put together from "
                "parts. A thin mark (·) stands for the space before a word. Each piece has a "
                "number, its **id**. The id is all that the model is given: it picks a row of a "
                "table, which is drawn below it with a square for each number: blue below zero, "
                "orange above, the full colour from ±{most:.2f} on."
            ).format(size=f"{len(tokenizer):,}", most=most)
        )
        if not is_unspaced(text):
            st.latex(formulas.pieces_a_word(len(cards), len(text.split())))
    if not runs.is_foreign():
        show_source_of("cut")


def _finding(
    sentence: str, words: Sequence[CutWord], cards: Sequence[PieceCard], width: int
) -> str:
    """Say how many pieces there are, which word has most pieces, and what each piece becomes.

    The mark of the space before a word may be a piece by itself, which is then said.
    """
    pieces = sum(word.parts for word in words)
    counted = _n("{count} piece", "{count} pieces", pieces).format(count=pieces)
    rows = _("Each piece looks up a row of {count} numbers.").format(count=width)
    if is_unspaced(sentence) or not words:
        return _("**{pieces}.** {rows}").format(pieces=counted, rows=rows)
    number = len(sentence.split())
    whole = _n("{count} word", "{count} words", number).format(count=number)
    most = max(words, key=lambda word: word.parts)
    if most.parts == 1:
        return _("**{words}: {pieces}.** {rows}").format(words=whole, pieces=counted, rows=rows)
    said = _("**{words}: {pieces}.** “{word}” is cut into {parts}. {rows}")
    if cards[most.first].token == WORD_START:
        said = _(
            "**{words}: {pieces}.** “{word}” is cut into {parts}, the first of them the mark of "
            "the space before it (·). {rows}"
        )
    return said.format(
        words=whole, pieces=counted, word=escaped(most.text[:20]), parts=most.parts, rows=rows
    )


def _say_what_is_rare(sentence: str, cards: list[PieceCard]) -> None:
    rare = rare_characters(sentence, cards)
    sentence = _(
        "**{character}** ({point}) has no piece of its own. It is spelt as its UTF-8 bytes, "
        "{data}: one piece a byte, so nothing that a person can type is unknown to the model."
    )
    for unknown in rare[:3]:
        filled = sentence.format(
            character=escaped(unknown.character),
            point=unknown.code_point,
            data=" ".join(unknown.data),
        )
        st.info(filled, icon=":material/memory:")


def _say_what_is_unknown(lost: Sequence[str]) -> None:
    sentence = _(
        "**{piece}** is no piece of this model, and it has no bytes to spell it with: it is given "
        "**{unknown}**, the same for all that it does not know, and cannot tell what stood there."
    )
    for token in dict.fromkeys(lost[:3]):
        filled = sentence.format(piece=escaped(token_text(token)), unknown=escaped(UNKNOWN))
        st.info(filled, icon=":material/question_mark:")


def _all_known(by_bytes: bool, offers: bool) -> str:
    """Say that nothing is rare and, if `offers`, what to add to see a rare character."""
    if by_bytes:
        return _("Every character here has a piece. Add a rare one to see the fallback to bytes.")
    if offers:
        return _("Every character here has a piece. Add a rare one to see what the model is given.")
    return _("Every character here has a piece.")


def show_cuts(run: Run) -> None:
    """Draw the most probable ways to cut the sentence or one of its words."""
    what_column, count_column = st.columns([4, 1])
    word = _choose_text(run, what_column)
    count = count_column.slider(_("Ways to cut it"), 2, 12, 6, key="ways", bind=address.BOUND)
    tokenizer = runs.translator().tokenizer
    cuts = [
        Cut(segmentation.tokens, segmentation.score)
        for segmentation in tokenizer.segmentations(word, count)
    ]
    show_figure(cuts_figure(cuts, state.current_theme()), "cuts-picture")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Each ribbon is one way to put the text together from pieces, the most probable "
                "first; the model is given that one, and pieces in orange are not in it. The "
                "number in front is the log-probability of the cut. SentencePiece gives every "
                "piece a probability, as if pieces were drawn one by one, so it is a sum:"
            )
        )
        scores = [tokenizer.score_of(token) for token in cuts[0].tokens[:3]]
        st.latex(formulas.cut_score(scores, len(cuts[0].tokens), cuts[0].score))
        if len(cuts) > 1:
            st.latex(formulas.cut_ratio(cuts[0].score, cuts[1].score))
        st.markdown(
            _(
                "A character without a piece counts as {rare}: ten less than the least probable "
                "piece, however many bytes it takes."
            ).format(rare=f"{Number(tokenizer.rare_score()):.1f}")
        )


def _choose_text(run: Run, column: DeltaGenerator) -> str:
    """Draw the choice of the text to cut and return it: the whole sentence or a word of it."""
    words = [word for word in dict.fromkeys(run.source.text.split()) if word != WHOLE]
    chosen = column.pills(
        _("Cut what?"),
        [WHOLE, *words[:MOST_WORDS]],
        format_func=lambda choice: capital(_(WHOLE)) if choice == WHOLE else escaped(choice),
        default=WHOLE,
        required=True,
        key="cut",
        bind=address.BOUND,
        wrap=True,
    )
    return run.source.text if chosen == WHOLE else str(chosen)
