"""Work that takes more than a moment, with a progress bar; heavy work for one visitor at a time."""

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
    """Show a bar with what is being done if the work inside takes longer than a moment.

    The bar moves when the work reports progress. The work ends at its next report if the visitor
    changes anything on the page or presses Stop.
    """
    place, started = st.empty(), time.monotonic()

    def show(done: int, all_: int) -> None:
        if time.monotonic() - started > SOON:
            place.progress(done / all_, doing)

    try:
        with told(show):
            yield
    finally:
        place.empty()


@contextmanager
def heavy(doing: str) -> Iterator[Progress]:
    """Wait until nobody else does heavy work, then show a bar while the work inside runs.

    The bar moves when the work reports progress, or when the yielded function is called. The work
    ends at its next report if the visitor changes anything on the page or presses Stop. If too many
    visitors wait, say so and end the page.
    """
    place = st.empty()

    def say(before: int) -> None:
        place.info(
            _("This takes a whole core, so visitors take turns: {count} before you.").format(
                count=before
            ),
            icon=":material/hourglass_top:",
        )

    def show(done: int, all_: int) -> None:
        place.progress(done / all_, doing)

    try:
        with HEAVY.turn(say), told(show):
            show(0, 1)
            yield show
    except QueueFull:
        place.warning(_("Many are waiting just now. Try again in a minute."))
        st.stop()
    place.empty()
