"""The controls of the Masks page, and what was measured of lifted masks and padding."""

from collections.abc import Iterable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.interventions.base import Intervention, UnreachableQuery
from model.interventions.masks import HideSource, LiftMask, PadSource
from model.results import Run
from model.sites.sites import Head, Kind
from viz.components.head_board import Board, Values, head_board, pressed
from viz.compute import effects, runs
from viz.compute.effects import Effect
from viz.figures.labels import Number, kind_names
from viz.language.text import _, capital
from viz.language.wording import escaped, listed
from viz.link import edits
from viz.pages.lab_masks import masks
from viz.pages.lab_masks.experiments import MOST_PADDING
from viz.shell import state

_LOOK_AHEAD, _PADDING, _LENGTH, _WORDS = "mask ahead", "mask padding", "pad to", "words out"


def mask_controls(run: Run) -> None:
    """Draw the switches of the masks, the padding and the words of the source."""
    interventions = edits.interventions()
    pieces = len(run.source.ids)
    longest = min(pieces + MOST_PADDING, runs.translator().max_tokens)
    lifted = {lift.kind for lift in edits.of_kind(interventions, LiftMask)}
    shown = min(max(_padding(interventions), pieces), longest)
    st.session_state[_LOOK_AHEAD] = masks.look_ahead(interventions)
    st.session_state[_PADDING] = not lifted & {"encoder", "cross"}
    st.session_state[_LENGTH] = shown
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    names = masks.look_ahead_names()
    row.segmented_control(
        _("Look-ahead mask"),
        list(names),
        format_func=lambda one: capital(names[one]),
        required=True,
        key=_LOOK_AHEAD,
        help=_("Turned round: every piece sees only later pieces"),
        on_change=_set_look_ahead,
    )
    row.toggle(_("Padding mask"), key=_PADDING, on_change=_switch_padding)
    if longest > pieces:
        with row.container(width=320):
            st.slider(
                _("Pad the sentence to this many pieces"),
                pieces,
                longest,
                key=_LENGTH,
                on_change=_pad,
                args=(pieces,),
            )
    _word_controls(run)


def _word_controls(run: Run) -> None:
    words = masks.words(run.source.tokens)
    st.session_state[_WORDS] = masks.hidden_words(edits.interventions(), words)
    st.pills(
        _("Mask a word out of the source"),
        range(len(words)),
        format_func=lambda place: escaped(words[place].text),
        selection_mode="multi",
        key=_WORDS,
        on_change=_hide_words,
    )
    show_refusal(WORDS)


def _padding(interventions: Iterable[Intervention]) -> int:
    """Return the length that the source is padded to; 0 without padding."""
    return max((pad.length for pad in edits.of_kind(interventions, PadSource)), default=0)


def _switch_padding() -> None:
    """Lift the padding masks, or put them back, as their toggle says."""
    others = edits.of_kind(edits.interventions(), LiftMask, kind="decoder")
    lifted = [] if st.session_state[_PADDING] else [LiftMask("encoder"), LiftMask("cross")]
    edits.replace(LiftMask, [*others, *lifted])


def _set_look_ahead() -> None:
    chosen: masks.LookAhead = st.session_state[_LOOK_AHEAD]
    edits.set_interventions(masks.with_look_ahead(edits.interventions(), chosen))


def _pad(pieces: int) -> None:
    length = int(st.session_state[_LENGTH])
    edits.replace(PadSource, [PadSource(length)] if length > pieces else [])


def _hide_words() -> None:
    now = edits.interventions()
    words = masks.words(runs.run(state.sentence(), now).source.tokens)
    hidden = [HideSource(*words[number].span) for number in st.session_state[_WORDS]]
    change(edits.replaced(now, HideSource, hidden), WORDS)


WORDS, BOARD = "words", "board"
"""The places of a refused change: at the words, or at the board of links."""


def change(wanted: tuple[Intervention, ...], place: str) -> None:
    """Change the model, unless a query would have no key left; then say so at this place."""
    run = runs.run(state.sentence(), edits.interventions())
    if query := effects.unreachable(run, wanted):
        refuse(run, query, place)
    else:
        edits.set_interventions(wanted)


def refuse(run: Run, unreachable: UnreachableQuery, place: str) -> None:
    """Keep a notice for this place that names the query that would have no key left."""
    queries, _keys = run.recording.tokens(unreachable.kind)
    st.session_state[f"refused {place}"] = _(
        "Not done: in {head}, the query “{query}” (number {number}) would have nothing left to "
        "look at."
    ).format(
        head=state.head_name(Head(unreachable.kind, unreachable.layer, unreachable.head)),
        query=escaped(queries[unreachable.query].strip("▁"))
        if unreachable.query < len(queries)
        else "",
        number=unreachable.query + 1,
    )


def show_refusal(place: str) -> None:
    """Show at this place, once, why the last change was refused."""
    if sentence := st.session_state.pop(f"refused {place}", None):
        st.error(sentence)
        st.toast(sentence, icon=":material/block:")  # the board can be taller than the window


def mask_findings(effect: Effect) -> None:
    """State what was measured of a lifted look-ahead mask and of padding, if these are in force."""
    interventions = edits.interventions()
    if LiftMask("decoder") in interventions:
        _future_findings(effect)
    if (length := _padding(interventions)) > len(effect.before.source.ids):
        _padding_findings(effect, length)


def _words_changed(effect: Effect) -> bool:
    """Return True if lifting the look-ahead mask alone changes the translation."""
    interventions = edits.interventions()
    others = tuple(one for one in interventions if one != LiftMask("decoder"))
    masked = effects.effect(state.sentence(), others).after if others else effect.before
    return masked.translation.text != effect.after.translation.text


def _future_findings(effect: Effect) -> None:
    future = effects.on_future(effect.forced)
    before, after = effect.log_probs
    with st.container(border=True):
        st.markdown(
            _("**The decoder may look ahead**; other words come out.")
            if _words_changed(effect)
            else _("**The decoder may look ahead**; the words stay the same.")
        )
        st.markdown(
            _(
                "Given the whole translation before at once (teacher "
                "forcing), it may look at pieces that are not written yet: **{share:.0%}** of its "
                "self-attention goes there. The log-probability of that translation goes from "
                "{before:.2f} to {after:.2f}, with all that is changed now. It was trained without "
                "seeing ahead, so seeing need not help. The translation on the card After is "
                "written step by step: what comes later does not exist yet when a piece is chosen."
            ).format(share=future.mean(), before=Number(before), after=Number(after))
        )
        _board([("decoder", future)], _("share on the future"), "future board")


def _padding_findings(effect: Effect, length: int) -> None:
    pieces = len(effect.before.source.ids)
    padded = effects.effect(state.sentence(), (PadSource(length),))
    rows, vocabulary = padded.forced.logits.shape
    with st.container(border=True):
        largest = padded.largest_logit_change
        st.markdown(
            _(
                "**Padded from {pieces} to {length} pieces.** With the padding mask on, nothing "
                "changes: the largest difference of all {rows} × {vocabulary} logits is {largest}."
            ).format(
                pieces=pieces,
                length=length,
                rows=rows,
                vocabulary=vocabulary,
                largest=_("**{0:.1e}**, rounding").format(Number(largest))
                if largest
                else _("**0**"),
            )
        )
        kinds: tuple[Kind, ...] = ("encoder", "cross")
        lifted: list[Kind] = [k for k in kinds if LiftMask(k) in edits.interventions()]
        shares: list[tuple[Kind, NDArray[np.float64]]] = [
            (kind, masks.on_padding(effect.forced, kind, pieces)) for kind in lifted
        ]
        if shares:
            text = listed(f"{kind_names()[kind]} **{s.mean():.0%}**" for kind, s in shares)
            st.markdown(
                _(
                    "With the mask off, this share of attention goes to padding: {text}. The "
                    "largest difference of a logit, with everything changed, is {largest:.2f}."
                ).format(text=text, largest=effect.largest_logit_change)
            )
            _board(shares, _("share on padding"), "padding board")


def _board(values: list[tuple[Kind, NDArray[np.float64]]], legend: str, key: str) -> None:
    """Draw shares of attention (L, H); a press on a head chooses it on the page."""
    boards = [
        Board(kind, kind_names()[kind], [[""] * share.shape[1]] * share.shape[0], share)
        for kind, share in values
    ]

    def show() -> None:
        press = pressed(key)
        if press and press.layer is not None and press.head is not None:
            state.show_head(Head(press.kind, press.layer, press.head))

    head_board(boards, key, show, state.current_theme(), Values(legend, signed=False), rows=False)
