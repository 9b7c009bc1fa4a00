"""The view of a batch with padding: two sentences of different lengths, and the padding mask."""

import streamlit as st

from model.results import Run
from model.transformer.config import Positions
from viz.compute import batches
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.theme import token_chips
from viz.language.text import _
from viz.link.choice import choose_one
from viz.pages.block.heads_figures import mask_figure
from viz.shell import state
from viz.shell.finding import say

SECOND, STRANGE = "Thinking machines", "I eat 饺子."


def batch_panel(run: Run) -> None:
    """Draw the sentence and a second one as one batch, with its mask and its effect."""
    row = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    second = row.text_input(_("A second sentence"), SECOND, key="batch second", max_chars=400)
    sides: dict[batches.Side, str] = {"right": _("on the right"), "left": _("on the left")}
    side: batches.Side = choose_one(_("Padding"), sides, "batch side", row=row, link=False)
    try:
        batch = batches.batch((run.source.text, second), side)
    except ValueError:
        st.info(_("Type a second sentence to put both into one batch."))
        return
    say(finding(batch, side))
    shape = f"(B, S) = {batch.ids.shape[0]} × {batch.ids.shape[1]}"
    st.markdown(_("**The ids as one matrix**, {shape}").format(shape=shape))
    st.code("\n".join(" ".join(f"{id_:4d}" for id_ in row) for row in batch.ids), language=None)
    st.markdown(_("**The padding mask**: True where a key may be looked at, for every query"))
    figure = mask_figure(batch.real, batch.tokens, state.current_theme())
    show_figure(figure, "batch mask", tools=False)
    st.markdown(_words(batch, side, run.recording.config.positions))
    _unknown()


ROUNDING = 1e-4
"""A smaller difference comes from rounding."""


def finding(batch: batches.Batch, side: batches.Side) -> str:
    """Say how padding on a side changes the encoder's output for a sentence, if any is needed."""
    asked, off = _("Does padding change what comes out?"), max(batch.off)
    if batch.real.all():
        count = batch.ids.shape[1]
        return f"{asked} " + _(
            "**Here is none**: both sentences have {count} pieces. Make one of them longer."
        ).format(count=count)
    side_names: dict[batches.Side, str] = {"right": _("on the right"), "left": _("on the left")}
    sentence = (
        _("**No**, not {place}: by {off} at most, which is rounding.")
        if off < ROUNDING
        else _("**Yes**, {place}: by up to {off}, although it is masked out.")
    )
    return f"{asked} " + sentence.format(place=side_names[side], off=_difference(off))


def _difference(off: float) -> str:
    return f"{Number(off):.0e}" if off else "0"


def _words(batch: batches.Batch, side: batches.Side, positions: Positions) -> str:
    """Describe the effect of padding on the encoder's output for both sentences."""
    off = dict(zip(("first", "second"), map(_difference, batch.off), strict=True))
    same = _(
        "In the batch, the encoder's output for each sentence is the same as for the sentence "
        "alone: they differ by at most {first} and {second}, which is rounding. "
    ).format(**off)
    if batch.real.all():
        return same.strip()
    if side == "right":
        return same + _("On the right, padding is masked out and moves nothing.")
    if positions == "rotary":
        return same + _(
            "On the left it is masked out too, and moves the shorter sentence to later positions; "
            "but rotary positions tell the layers only how far apart two pieces are."
        )
    return _(
        "In the batch, the encoder's outputs for the two sentences differ by at most {first} and "
        "{second} from those for each alone. On the left, padding is masked out too, but it moves "
        "the shorter sentence to later positions, and this model's layers are told where a piece "
        "stands."
    ).format(**off)


def _unknown() -> None:
    """Show what happens to a character without a piece of its own, with and without bytes."""
    st.subheader(_("What is not in the vocabulary"), anchor=False)
    typed = st.text_input(_("A text with unusual characters"), STRANGE, key="strange", max_chars=80)
    read = batches.unknown(typed)
    columns = st.columns(2 if read.by_bytes else 1)
    if read.by_bytes:
        with columns[0]:
            st.markdown(_("**With byte fallback, as here**: nothing is lost"))
            st.html(token_chips(read.pieces))
            st.text(read.back)
    with columns[-1]:
        st.markdown(
            _("**With `<unk>`, as in older models**: nobody knows what stood there")
            if read.by_bytes
            else _("**With `<unk>`, as here**: nobody knows what stood there")
        )
        st.html(token_chips(read.with_unknown))
        st.text("".join(read.with_unknown).replace("▁", " ").strip())
