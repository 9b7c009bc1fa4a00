"""Boxes that are closed at first, and cost nothing until somebody opens them."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def opened(label: str, key: str, icon: str | None = None) -> DeltaGenerator | None:
    """Draw a box; return it once it is open, None while it is closed.

    What is to stand in it is neither computed nor sent before. Streamlit's own box for code alone
    is half a megabyte of JavaScript, of the 1.7 that a first visit takes.
    """
    box = st.expander(label, icon=icon, key=key, on_change="rerun")
    return box if box.open else None
