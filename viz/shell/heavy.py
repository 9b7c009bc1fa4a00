"""Progress bars for work that takes more than a moment, and turns for heavy work."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from model.decoding.steps import Progress
from viz.language.text import _
from viz.sharing.progress import told
from viz.sharing.queue import HEAVY, QueueFull

SOON = 0.3
"""Seconds of waiting before the bar appears."""


@contextmanager
def shown(doing: str) -> Iterator[None]:
    """Show a bar that says what is being done, if the work inside takes longer than a moment.

    The bar moves when the work reports progress. The work ends at its next report if the visitor
    changes anything on the page or presses Stop.
    """
    slot, started = st.empty(), time.monotonic()

    def show(done: int, all_: int) -> None:
        if time.monotonic() - started > SOON:
            slot.progress(done / all_, doing)

    try:
        with told(show):
            yield
    finally:
        slot.empty()


@contextmanager
def heavy(doing: str) -> Iterator[Progress]:
    """Wait until nobody else does heavy work, then show a bar as long as the work inside runs.

    The bar moves when the work reports progress, or when the yielded function is called. The work
    ends at its next report if the visitor changes anything on the page or presses Stop. If too many
    visitors wait, a sentence says so and the page ends.
    """
    slot = st.empty()

    def say(before: int) -> None:
        slot.info(
            _("This takes a whole core, so visitors take turns: {count} before you.").format(
                count=before
            ),
            icon=":material/hourglass_top:",
        )

    def show(done: int, all_: int) -> None:
        slot.progress(done / all_, doing)

    try:
        with HEAVY.turn(say), told(show):
            show(0, 1)
            yield show
    except QueueFull:
        slot.warning(_("Many are waiting just now. Try again in a minute."))
        st.stop()
    slot.empty()
