"""The views of how a vocabulary is learned from a text, and of what a limit of length loses."""

import numpy as np
import streamlit as st

from model.measures.vocabulary import LONGEST, MOST_PIECES, Method, Vocabulary
from model.results import Run
from viz.components.two_texts import marked_columns
from viz.compute import runs, vocabulary
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.figures.theme import token_chips, token_text
from viz.language.text import _, _n, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.tokens.cuts_board import cuts_board
from viz.pages.tokens.learning_figures import sizes_figure
from viz.pages.tokens.pruning_panel import show_pruning
from viz.shell import state
from viz.shell.heavy import shown

ROWS, LISTED = 6, 40
SLOTS, SPARE = 10, 4
"""The slots of well-known introductions, and how many a sentence may have too many."""

METHODS: dict[str, Method] = {
    later("BPE: join pairs"): "bpe",
    later("unigram: drop pieces"): "unigram",
    later("unigram, round by round"): "unigram",
}
ROUNDS = list(METHODS)[-1]


def show_learning(run: Run) -> None:
    """Draw the sentence cut with vocabularies of several sizes, newly learned from a text."""
    lead = st.container()
    chosen = choose_one(_("Method"), list(METHODS), "taught")
    if chosen == ROUNDS:
        lead.markdown(
            _(
                "Each row cuts the sentence after a round: the pieces that the text misses least "
                "have gone. The last row is the vocabulary."
            )
        )
    else:
        lead.markdown(
            _(
                "Each row cuts the sentence with a larger vocabulary, learned just now from the "
                "text below by SentencePiece's own trainer."
            )
        )
    slot = st.container()
    with st.expander(_("The text it learns from"), expanded=False, icon=":material/edit:"):
        text = st.text_area(
            _("A text of your own, one sentence on each line"),
            vocabulary.example_text(),
            key="vocabulary text",
            max_chars=LONGEST,
            height=180,
        )
        rarest = st.slider(
            _("A character seen fewer times is `<unk>`"),
            *(1, 10, 1),
            key="rarest",
            bind=address.BOUND,
            width=260,
        )
    with slot:
        _learned(run.source.text, str(text or ""), METHODS[chosen], rarest, chosen == ROUNDS)
    _explain()


def _learned(sentence: str, text: str, method: Method, rarest: int, rounds: bool) -> None:
    """Draw the cuts of the sentence, the number of pieces of the text, and the learned pieces.

    With `rounds`, draw the rounds of a unigram vocabulary instead.
    """
    try:
        with shown(_("Learning pieces")):
            least, most = vocabulary.bounds(text, method, rarest)
            most = min(most, MOST_PIECES)
            at = _choose_size(least, most)
            if rounds:
                show_pruning(sentence, text, at, rarest)
                return
            sizes = sorted({int(size_) for size_ in np.geomspace(least, at, ROWS).round()})
            vocabularies = {
                size_: vocabulary.learned(text, method, size_, rarest) for size_ in sizes
            }
    except ValueError:
        st.info(
            _("This text has too little in it to learn pieces from: type more, or a longer one.")
        )
        return
    st.html(cuts_board({size: each.cut(sentence) for size, each in vocabularies.items()}))
    counts = [sum(size_.count for size_ in each.pieces) for each in vocabularies.values()]
    show_figure(sizes_figure(sizes, counts, state.current_theme()), "vocabulary sizes")
    _list(vocabularies[at], method)


def _choose_size(least: int, most: int) -> int:
    """Draw the choice of the size, within the limits of the text; return the size."""
    if least >= most:
        return least
    held = st.session_state.get("size")
    if isinstance(held, int) and not least <= held <= most:
        st.session_state["size"] = min(max(held, least), most)
    return st.slider(
        _("Pieces in the vocabulary"),
        least,
        most,
        (least + most) // 2,
        key="size",
        bind=address.BOUND,
        width=420,
    )


def _list(learned: Vocabulary, method: Method) -> None:
    """List the first pieces: by the order of joining (BPE), or the most probable (unigram)."""
    joined = [piece for piece in learned.pieces if method == "unigram" or len(piece.piece) > 1]
    names = {
        "bpe": (_("The pairs it joined first"), _("joined as number")),
        "unigram": (_("The pieces it holds most probable"), _("log-probability")),
    }
    title, last = names[method]
    st.markdown(f"**{title}**")
    show_table(
        {
            _("piece"): [token_text(piece.piece) for piece in joined[:LISTED]],
            _("uses in the cut text"): [piece.count for piece in joined[:LISTED]],
            last: [
                str(int(1 - piece.score)) if method == "bpe" else f"{Number(piece.score):.2f}"
                for piece in joined[:LISTED]
            ],
        },
        height=260,
    )
    if method == "bpe":
        st.caption(
            _(
                "A pair that was joined early may have no uses left: longer pieces have taken it "
                "up since."
            )
        )


def _explain() -> None:
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "**BPE** begins with single characters and joins the pair of neighbours that is "
                "most frequent, again and again, until the vocabulary is full. "
                "**Unigram** begins with all frequent strings, gives each a probability, and drops "
                "those whose loss makes the text least improbable. The model has {size} pieces, "
                "learned from far more text. Here a character that is seen too rarely is unknown, "
                "and what it was is lost. The text stays in this server's memory for a while and "
                "is written nowhere."
            ).format(size=f"{len(runs.translator().tokenizer):,}")
        )
        st.latex(r"\log p(x_1 \dots x_n) = \sum_i \log p(x_i)")


def show_limit(run: Run) -> None:
    """Draw the sentence cut off after some pieces, and the translation of what is left."""
    st.markdown(
        _(
            "Many introductions give the encoder a fixed number of slots, such as ten. What does "
            "not fit is gone before the model has seen it: shorten the limit. Slots that stay "
            "empty are filled with `<pad>`."
        )
    )
    count = len(run.source.ids)
    if count < 3:
        st.info(_("This sentence is too short to be cut off."))
        return
    most = st.slider(
        _("Slots, the end token among them"),
        *(2, max(count, SLOTS) + SPARE, SLOTS),
        key="slots",
        bind=address.BOUND,
        width=420,
    )
    source, limited = vocabulary.limited(run.source.text, most)
    empty = max(0, most - count)
    st.html(token_chips([*source.tokens, *["<pad>"] * empty]))
    if empty:
        st.markdown(
            _n(
                "**{count}** slot is empty: a mask hides it, and the translation is the same.",
                "**{count}** slots are empty: a mask hides them, and the translation is the same.",
                empty,
            ).format(count=empty)
        )
    lost = run.source.tokens[len(source.ids) - 1 : -1]
    if lost:
        st.markdown(_("Lost: **{count}** of {all} pieces").format(count=len(lost), all=count - 1))
        st.html(f'<div style="opacity:.5">{token_chips(lost)}</div>')
    whole = vocabulary.limited(run.source.text, count)[1]
    titles = _("**All of it**"), _("**With {most} slots**").format(most=most)
    marked_columns((whole.text, limited.text), titles)
    st.caption(
        _(
            "Translated by the model as it was trained. It takes any number of pieces up to its "
            "limit, and needs no filling: `<pad>` only puts sentences of other lengths into one "
            "batch."
        )
    )
