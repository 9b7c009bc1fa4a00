"""Two models: the same sentence through both, with alignments and translations side by side."""

import streamlit as st

from model.results import Run
from viz.components.alignments import alignments
from viz.components.two_texts import marked_columns
from viz.compute import examples, models
from viz.figures.labels import Number
from viz.figures.theme import token_chips
from viz.language.text import _
from viz.language.wording import escaped, in_a_row
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.two_models.sides import (
    OTHER,
    OWN,
    ModelRun,
    alignment_of,
    beside,
    choose_other,
    finding,
    written,
)
from viz.shell import state
from viz.shell.chooser import offer_page_with
from viz.shell.cover import telling
from viz.shell.finding import say
from viz.shell.header import open_page
from viz.shell.model_names import model_name


def show_translations(own: ModelRun, other: ModelRun) -> None:
    """Draw both translations, with differing words marked, and their pieces."""
    sides = (own, other)
    translations = (own.run.translation.text, other.run.translation.text)
    titles = (escaped(model_name(own.name)), escaped(model_name(other.name)))
    alike = own.run.translation.tokens == other.run.translation.tokens
    for box, side in zip(marked_columns(translations, titles), sides, strict=True):
        model = "" if side is own else side.name
        box.html(token_chips(side.run.translation.tokens, written=True, model=model))
        box.caption(
            _("log-probability {value} nats · pieces: {count}, and the end").format(
                value=f"{Number(side.run.translation.log_prob):.2f}",
                count=len(side.run.translation.ids),
            )
        )
    st.caption(
        _("Both write the same pieces, so their log-probabilities can be compared.")
        if alike
        else _("They write different pieces, so their log-probabilities cannot be compared.")
    )


def show_alignments(own: ModelRun, other: ModelRun, choice: str) -> None:
    """Draw the alignments of both models, each in a separately chosen head.

    With the `choice` "shared", both have the first model's translation as rows.
    """
    given = own.run.translation.text if choice == "shared" else None
    line = st.container()
    panels = [alignment_of(own, None, OWN), alignment_of(other, given, OTHER)]
    with line:
        say(in_a_row((written(*panels), finding(panels))))
    alignments(panels, state.current_theme(), "two models", examples.current().target)


def show_page(run: Run) -> None:
    """Draw the model in force beside another, unchanged model."""
    name = models.in_force()
    row = st.container(horizontal=True, gap="medium", key="beside choices")
    other = choose_other(name, row)
    if other is None:
        offer_page_with(
            _(
                "There is no other model of these languages here. Whoever runs the app can put the "
                "folder of another one under `checkpoints/`, or name it at start: "
                "`python -m headlight --checkpoint PATH`."
            ),
            models.default(),
        )
        return
    names = {"own": _("own translation"), "shared": _("the first one's")}
    choice = choose_one(_("Rows"), names, "aligned", row=row)
    side = beside(other, run.source.text)
    if side is None:
        return
    if edits.in_force(run.left_out):
        st.caption(
            _("What is changed in the model is changed in {name} alone.").format(
                name=escaped(model_name(name))
            )
        )
    own = ModelRun(name, run)
    with telling():
        show_alignments(own, side, choice)
        show_translations(own, side)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Both models read the same sentence; words that only one of them wrote are marked. "
                "Each picture is one cross-attention: rows are **queries**, named by the pieces "
                "that they write, columns are **keys**, the pieces of the source. The pointer "
                "marks the same place in both; where the models cut the source into other pieces, "
                "the same word. "
                "“Best piece” is the largest weight of a row before </s>, and beside it stands the "
                "weight on </s>, both as means over the rows. Every source ends with </s>: it has "
                "no meaning of its own, so weight on it picks no word. "
                "Log-probabilities of translations in different pieces cannot be compared. "
                "Attention shows where a model looked, not why it wrote a word."
            )
        )


show_page(open_page())
