"""Parts of a page that are redrawn on their own."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from viz.sharing.turns import TURNS

Parameters = ParamSpec("Parameters")


def fragment(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Decorate a part of a page to be redrawn on its own, as st.fragment does, but in turns.

    The part has a container of its own. When it is redrawn at once after its page, Streamlit drops
    what it drew with the page and is not sent yet; without the container what follows on the page
    would then lack its predecessor, and the browser shows an empty page ("Bad delta path index").
    """
    part = st.fragment(TURNS.taken()(function))

    @wraps(function)
    def placed(*arguments: Parameters.args, **named: Parameters.kwargs) -> None:
        with st.container():
            part(*arguments, **named)

    return placed
