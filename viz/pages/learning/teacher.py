"""The topic "teacher forcing": the reference goes in, or the model's own words instead."""

import numpy as np
import streamlit as st

from model.learning.forcing import Fed
from model.results import Run
from viz.compute import learning
from viz.language.text import _
from viz.language.wording import in_a_row, listed
from viz.link import address
from viz.pages.learning.lesson import choose, controls, given_text
from viz.pages.learning.rows import FedLine, fed_table
from viz.shell.finding import quoted
from viz.shell.source_code import show_source_of


def show(run: Run) -> None:
    """Draw the same rows twice: fed with the reference, and fed with a mixture."""
    row = controls()
    lesson = choose(run, row)
    ratio = row.slider(
        _("Share of the reference"), 0.0, 1.0, 0.0, 0.05, key="ratio", bind=address.BOUND, width=320
    )
    seed = row.number_input(_("Draw"), 0, 9999, 0, key="draw", bind=address.BOUND, width=140)
    taught = learning.fed(lesson.sentence, lesson.target, 1.0, 0)
    mixed = learning.fed(lesson.sentence, lesson.target, ratio, int(seed))
    st.html(fed_table(lines(taught, mixed), mixed.parted, given_text(lesson)))
    st.markdown(parting(taught, mixed))
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "In training every row is fed with the piece that *should* stand there (left). "
                "When it translates, the model is fed with the pieces it said itself (share 0, "
                "right). Between the two, each row draws a number from 0 to 1: below the share it "
                "is given the reference, else its own last word (orange). The same draw gives the "
                "same numbers; a higher share then never takes a reference away.\n\n"
                "\u2212log p is always that of the reference. With a share of 0 its pieces are "
                "matched with what the model wrote (*due*), as one piece more would put all "
                "further rows one place off; another word that is as good counts as wrong. "
                "Otherwise each row is held against the same row, as in scheduled sampling.\n\n"
                "A model that was only ever fed with references never learned what to do after a "
                "mistake of its own (*exposure bias*). Feeding some of its own words in training "
                "is called scheduled sampling (Bengio et al., 2015); the paper, and this model, "
                "use teacher forcing alone."
            )
        )
    show_source_of("teacher forcing")


def lines(taught: Fed, mixed: Fed) -> list[FedLine]:
    """Put the rows of both side by side; the mixture may have fewer."""
    fed = []
    for index, row in enumerate(taught.rows):
        other = mixed.rows[index] if index < len(mixed.rows) else None
        fed.append(
            FedLine(
                row.reference,
                row.given,
                row.loss,
                other.given if other else None,
                bool(other and other.own),
                other.loss if other else 0.0,
                other.reference if other else "",
                other.said if other else "",
            )
        )
    return fed


def parting(taught: Fed, mixed: Fed) -> str:
    """Say where the two part, and what it costs in -log p; or else that they do not."""
    if mixed.parted is None:
        return _together(taught, mixed)
    own, forced = _losses_after(taught, mixed)
    sentences = [
        _(
            "**They part at row {row}.** \u2212log p of the pieces that are due from there on is "
            "{own:.2f} on average, against {taught:.2f} for the same pieces with teacher forcing."
        ).format(row=mixed.parted + 1, own=np.mean(own), taught=np.mean(forced))
    ]
    if skipped := never_due(taught, mixed):
        sentences.append(_("In no row due: {pieces}.").format(pieces=listed(map(quoted, skipped))))
    if mixed.ended:
        sentences.append(
            _("It ends with row {row}: its own next word was the end token.").format(
                row=len(mixed.rows)
            )
        )
    return in_a_row(sentences)


def _losses_after(taught: Fed, mixed: Fed) -> tuple[list[float], list[float]]:
    """Return the losses of the pieces due from the parting on, of the mixture and of the reference.

    A piece that is due in several rows counts once, with its smallest loss.
    """
    least: dict[int, float] = {}
    for row in mixed.rows[mixed.parted :]:
        least[row.due] = min(row.loss, least.get(row.due, np.inf))
    return [*least.values()], [taught.rows[due].loss for due in least]


def never_due(taught: Fed, mixed: Fed) -> list[str]:
    """List the pieces of the reference that are due in none of the mixture's rows."""
    due = {row.due for row in mixed.rows}
    return [row.reference for row in taught.rows if row.due not in due]


def _together(taught: Fed, mixed: Fed) -> str:
    """Say that all inputs are the reference's, and whether the model's own words end there too."""
    if mixed.ended:
        return _(
            "**They part at the end**: after row {row} its own next word is the end token, and the "
            "reference goes on."
        ).format(row=len(mixed.rows))
    if mixed.ratio:
        return _(
            "**They never part**: every row was given the piece of the reference. Lower the share, "
            "or type another translation above."
        )
    last = mixed.rows[-1].said
    if last != taught.rows[-1].reference:
        return _(
            "**They part at the end**: every row was given the piece of the reference, and after "
            "the last the model goes on, with {piece}."
        ).format(piece=quoted(last))
    return _(
        "**They never part**: left to itself, the model writes the reference, piece by piece. Type "
        "another translation above."
    )
