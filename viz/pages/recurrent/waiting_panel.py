"""The view of why attention replaced recurrence: steps that wait, and measured times."""

import streamlit as st

from model.results import Run
from viz.compute import ancestors
from viz.figures.figure import show_figure
from viz.figures.table import show_table
from viz.language.text import _
from viz.link import address
from viz.pages.recurrent.waiting import (
    Waiting,
    attention_waiting,
    recurrent_waiting,
    times_figure,
)
from viz.shell import state
from viz.shell.finding import say


def waiting(run: Run) -> None:
    """Compare one layer of both encoders on this sentence, and their measured times."""
    kind, config = ancestors.shipped()[0], run.recording.config
    own = ancestors.network(kind).config
    # The pieces of the recurrent model, which may cut the sentence otherwise than the Transformer.
    n = len(ancestors.looked(kind, run.source.text).recording.source_tokens)
    rows: dict[str, Waiting] = {
        _("recurrence: a GRU in both directions"): recurrent_waiting(
            n, own.d_model, own.d_state // 2
        ),
        _("self-attention"): attention_waiting(n, config.d_model),
    }
    say(finding(*rows.values()))
    show_table(
        {
            _("one layer, n = {n}").format(n=n): list(rows),
            _("steps that wait for each other"): [row.steps for row in rows.values()],
            _("longest path between two words"): [row.path for row in rows.values()],
            _("multiply-adds"): [f"{row.work:,}" for row in rows.values()],
        },
    )
    st.markdown(
        _(
            "A recurrent layer needs the state of the word before, so this sentence takes it "
            "{n} steps one after another, however many processors there are; and what the first "
            "word says must survive {path} of them to reach the last. Self-attention compares all "
            "pairs at once, n² of them, with d = {d} numbers each: less work as long as n is "
            "small, and any two words are one step apart."
        ).format(n=n, path=n - 1, d=config.d_model)
    )
    _times()


def finding(recurrence: Waiting, attention: Waiting) -> str:
    """Say what attention needs less of: steps in a row, and steps between two words."""
    return _(
        "Why was it replaced? Recurrence takes **{steps} steps** one after another, and two words "
        "are up to {path} steps apart; self-attention takes **{few}**, and they are {near} apart."
    ).format(steps=recurrence.steps, path=recurrence.path, few=attention.steps, near=attention.path)


def _times() -> None:
    st.subheader(_("Measured here"), anchor=False)
    if not st.toggle(_("Time both encoders on this machine"), key="timed", bind=address.BOUND):
        st.caption(_("This takes a second or two. `python -m benchmarks.families` does the same."))
        return
    names = {
        "transformer": _("Transformer, 6 layers of self-attention and feed-forward"),
        "recurrent": _("recurrent, one layer in both directions"),
    }
    by_name = {
        names[name]: [(time.length, time.milliseconds) for time in times]
        for name, times in ancestors.times().items()
    }
    show_figure(times_figure(by_name, state.current_theme()), "times picture")
    st.caption(
        _(
            "One thread of this machine's processor, the fastest of five runs. The models are not "
            "of one size, so compare how the lines rise: the recurrent one with every step, the "
            "Transformer's with the work alone. On hardware that computes many positions at once "
            "the difference is larger."
        )
    )
