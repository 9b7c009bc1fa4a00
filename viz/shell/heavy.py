"""Work of more than a moment, under a bar; heavy work for one visitor at a time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from viz.language.text import _
from viz.sharing.progress import Progress, told
from viz.sharing.queue import HEAVY, QueueFull

SOON = 0.3
"""Seconds of waiting after which the bar is shown."""


@contextmanager
def shown(doing: str) -> Iterator[None]:
    """Show a bar with the name of the work if the work inside takes longer than a moment.

    The bar moves by what the work reports. Whoever changes anything on the page or presses Stop
    ends the work at the next report.
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
    """Wait until no one else does heavy work, then show a bar over the work inside.

    The bar moves by what the work reports, or is told through what is yielded. Whoever changes
    anything on the page or presses Stop ends the work at the next report. When too many wait, say
    so and end the page there.
    """
    place = st.empty()

    def say(before: int) -> None:
        place.info(
            _("This takes a whole core, so it goes one at a time: {count} before you.").format(
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
