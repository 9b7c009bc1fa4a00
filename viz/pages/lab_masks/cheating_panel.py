"""The model trained without the look-ahead mask: its translation, its loss, and a head."""

from collections.abc import Mapping
from html import escape
from math import log

import streamlit as st

from model.results import Run
from viz.components.head_picker import Boards, Shares, head_picker
from viz.components.miniatures import miniatures
from viz.compute import cheating, models, translators
from viz.compute.cheating import Measured, Seen
from viz.figures.figure import show_figure
from viz.figures.labels import writing
from viz.figures.theme import KEY
from viz.language.text import _
from viz.language.wording import escaped, no_words
from viz.pages.lab_masks.cheating_figures import Curve, ahead_heatmap, loss_curves
from viz.shell import state
from viz.shell.cover import telling

_CHOSEN = "cheat head"
_LINE = "font-size:18px;line-height:1.7;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"


def cheating_panel(run: Run, cheat: str) -> None:
    """Draw both translations of the sentence, both losses, and a head that looks ahead."""
    text = run.translation.text
    try:
        measured = cheating.measured(cheat)
        alone = cheating.written(cheat, run.source.text)
        seen = cheating.seen(cheat, run.source.text, text) if text else None
    except ValueError as error:
        why = escaped(str(error))
        st.warning(
            _("The model {name} cannot be opened: {why}").format(name=escaped(cheat), why=why)
        )
        return
    with telling("cheat"):
        ours = _("{model}, with the mask").format(model=models.in_force())
        theirs = _("{model}, without it").format(model=cheat)
        _texts({ours: text or no_words(), theirs: alone or no_words()})
        left, right = st.container(key="cheat-parts").columns([4, 5], gap="medium")
        with left:
            _losses(measured)
        with right:
            if seen:
                _look_ahead(seen, measured)
    with st.expander(_("What am I looking at?")):
        _explain(measured, cheat)


def _texts(by_model: Mapping[str, str]) -> None:
    """Draw each model's translation on a separate line, cut off where it is too long.

    The first model is not in the curves below, and has no colour.
    """
    colours = "transparent", KEY
    lines = "".join(
        f'<div style="{_LINE}" title="{escape(text)}">'
        f'<b style="border-bottom:3px solid {colour}">{escape(name)}</b>&ensp;{escape(text)}</div>'
        for (name, text), colour in zip(by_model.items(), colours, strict=True)
    )
    st.html(f'<div class="both-write">{lines}</div>')


def _losses(measured: Measured) -> None:
    st.markdown(_("**The loss, with the mask and without**"))
    twin, cheat = (
        Curve(run.steps, run.loss, run.dev_steps, run.dev_loss)
        for run in (measured.twin, measured.cheat)
    )
    show_figure(loss_curves(twin, cheat, state.current_theme()), key="cheat losses")
    st.markdown(
        _(
            "Two small models that differ in the mask alone; dots are losses on other "
            "sentences. They end at **{twin:.2f}** and **{cheat:.3f}**. Alone, the first reaches "
            "BLEU **{twin_bleu:.1f}**, the other **{cheat_bleu:.1f}**."
        ).format(
            cheat=measured.cheat.dev_loss[-1],
            twin=measured.twin.dev_loss[-1],
            cheat_bleu=measured.cheat.bleu,
            twin_bleu=measured.twin.bleu,
        )
    )


def _look_ahead(seen: Seen, measured: Measured) -> None:
    st.markdown(_("**Without the mask: it looks at the piece that it must write**"))
    recording, theme = seen.recording, state.current_theme()
    weights = recording.attention("decoder")  # L H T T
    layer, head = _choose(measured)
    keys = recording.target_tokens
    writes = [writing(keys, row) for row in range(len(keys))]
    figure = ahead_heatmap(weights[layer, head], writes, keys, theme)
    show_figure(figure, "cheat look ahead", wide=True)
    st.markdown(
        _(
            "A frame marks the piece that a row must write. Given the translation all at once, the "
            "model finds each piece of it with **{likely:.1%}** on average."
        ).format(likely=float(seen.likely.mean()))
    )

    def choose(_kind: str, layer: int | None, head: int | None) -> None:
        if layer is not None and head is not None:
            st.session_state[_CHOSEN] = layer, head

    looks: state.Looks = {"decoder": weights}
    boards = Boards(
        {"decoder": weights.shape[0]},
        weights.shape[1],
        ("decoder", layer, head),
        Shares(_("weight on the piece to be written"), {"decoder": measured.ahead}, theme.moved),
        pictures=miniatures(looks, theme.sequential),
        folded=True,
    )
    head_picker(boards, choose, "cheat picker")


def _choose(measured: Measured) -> tuple[int, int]:
    """Return the chosen layer and head, at first the head that cheats most."""
    layers, heads = measured.ahead.shape
    layer, head = st.session_state.get(_CHOSEN, (layers, heads))
    if layer < layers and head < heads:
        return layer, head
    return divmod(int(measured.ahead.argmax()), heads)


def _explain(measured: Measured, cheat: str) -> None:
    pieces = translators.loaded(cheat).network.config.vocab_size
    st.markdown(
        _(
            "In training the whole translation is there at once, and the decoder is asked at every "
            "piece for the next one. The look-ahead mask hides the answer. {cheat} learned without "
            "it: a head looks at the next piece, the rest copies it, and the loss falls to nearly "
            "nothing. When it has to write, what comes next does not exist yet: there is nothing "
            "to copy, and it never learned anything else.\n\n"
            "Asked on {pairs} sentences that it did not learn from, it loses {ahead:.3f} nats a "
            "piece while it sees them whole, and {before:.1f} with the mask put back: guessing "
            "blindly among {pieces:,} pieces would be {blind:.1f}. The model of the other curve "
            "has the same size, data, seed and number of steps, and learned with the mask."
        ).format(
            cheat=escaped(cheat),
            pairs=measured.pairs,
            ahead=measured.cheat.sees_ahead,
            before=measured.cheat.sees_before,
            pieces=pieces,
            blind=log(pieces),
        )
    )
