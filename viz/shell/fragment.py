"""Parts of a page that are redrawn on their own."""

from collections.abc import Callable
from typing import ParamSpec

import streamlit as st

from viz.sharing.turns import TURNS

Parameters = ParamSpec("Parameters")


def fragment(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Decorate a part of a page to be redrawn on its own, as st.fragment does, but in turns."""
    return st.fragment(TURNS.taken()(function))
