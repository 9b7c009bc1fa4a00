"""The rounds in which a unigram vocabulary is pruned, and the sentence cut after each."""

import streamlit as st

from model.measures.unigram import Round, Scores, cut
from model.measures.vocabulary import Vocabulary
from viz.compute import vocabulary
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped, in_a_row
from viz.pages.tokens.cuts_board import cuts_board
from viz.pages.tokens.pruning_figure import rounds_figure
from viz.shell import state


def show_pruning(sentence: str, text: str, size: int, rarest: int) -> None:
    """Draw the rounds to a vocabulary of this size, and compare it with SentencePiece's own.

    Raises ValueError when the text yields no vocabulary of this size.
    """
    own = vocabulary.learned(text, "unigram", size, rarest)
    rounds, last = vocabulary.pruned(text, size, rarest)
    cuts = {len(round_.scores): cut(sentence, round_.scores) for round_ in rounds}
    cuts[len(last)] = cut(sentence, last)
    st.html(cuts_board(cuts))
    show_figure(rounds_figure(rounds, state.current_theme()), "pruning rounds", tools=False)
    _table(rounds)
    st.markdown(compared(own, last, sentence))


def _table(rounds: tuple[Round, ...]) -> None:
    show_table(
        {
            _("round"): list(range(1, len(rounds) + 1)),
            _("pieces before"): [round_.before for round_ in rounds],
            _("−log p of a word, nats"): [f"{round_.loss:.3f}" for round_ in rounds],  # noqa: RUF001
            _("expected too rarely"): [round_.too_rare for round_ in rounds],
            _("missed least"): [round_.pruned for round_ in rounds],
            _("the first to go"): [
                "  ".join(map(token_text, round_.missed_least)) for round_ in rounds
            ],
        },
    )


def compared(own: Vocabulary, last: Scores, sentence: str) -> str:
    """Compare the vocabulary of the rounds with that of SentencePiece's own trainer, in words."""
    theirs = {piece.piece: piece.score for piece in own.pieces}
    same = theirs.keys() & last.keys()
    furthest = max((abs(theirs[piece] - last[piece]) for piece in same), default=0.0)
    words = _(
        "At the end every character is kept, and the most probable pieces fill up the {size}. "
        "SentencePiece's own trainer has {same} of them too; their log-probabilities differ by "
        "{furthest} at most."
    ).format(size=len(last), same=len(same), furthest=f"{Number(furthest):.1e}")
    others = sorted(last.keys() - same)
    if others:
        words = in_a_row(
            (
                words,
                _("Only here: {pieces}.").format(
                    pieces=" ".join(escaped(token_text(piece)) for piece in others[:8])
                ),
            )
        )
    if own.cut(sentence) == cut(sentence, last):
        return in_a_row((words, _("Both cut the sentence alike.")))
    return in_a_row(
        (words, _("They cut the sentence differently: where losses are equal, any may go."))
    )
