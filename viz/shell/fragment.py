"""Parts of a page that run alone."""

from collections.abc import Callable
from typing import ParamSpec

import streamlit as st

from viz.sharing.turns import TURNS

Parameters = ParamSpec("Parameters")


def fragment(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Let a part of a page run alone, as st.fragment does, in its turn as the page does."""
    return st.fragment(TURNS.taken()(function))
