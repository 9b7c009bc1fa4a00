"""Parts of a page that are redrawn on their own."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from viz.sharing.turns import TURNS

Parameters = ParamSpec("Parameters")


def fragment(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Make a part of a page redraw on its own, as st.fragment does, but in turns with others.

    The part gets a container of its own. If it is redrawn right after its page, Streamlit drops
    what the part drew with the page and has not sent yet. Without the container, what follows on
    the page would then lack its predecessor, and the browser would show an empty page ("Bad delta
    path index").
    """
    part = st.fragment(TURNS.taken()(function))

    @wraps(function)
    def placed(*arguments: Parameters.args, **named: Parameters.kwargs) -> None:
        with st.container():
            part(*arguments, **named)

    return placed
