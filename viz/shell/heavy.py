"""Work of more than a moment: one visitor at a time, with a bar, and a line for those who wait."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from viz.compute.progress import Progress, told
from viz.compute.queue import HEAVY, QueueFull
from viz.shared.text import _


@contextmanager
def heavy(doing: str) -> Iterator[Progress]:
    """Do what is inside when no one else does such work, under a bar that says what is done.

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
