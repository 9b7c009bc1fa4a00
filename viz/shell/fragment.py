"""Parts of a page that redraw alone."""

from collections.abc import Callable
from typing import ParamSpec

import streamlit as st

from viz.sharing.turns import TURNS

Parameters = ParamSpec("Parameters")


def fragment(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Let a part of a page redraw alone, as st.fragment does, and wait for its turn."""
    return st.fragment(TURNS.taken()(function))
