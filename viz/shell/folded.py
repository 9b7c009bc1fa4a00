"""Boxes that start closed and cost nothing until somebody opens them."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def opened(label: str, key: str, icon: str | None = None) -> DeltaGenerator | None:
    """Draw a box with a label; return it if it is open, None while it is closed.

    The caller then neither computes nor sends the content before somebody wants to see it. That
    matters, as Streamlit's widget for code alone is half a megabyte of JavaScript.
    """
    box = st.expander(label, icon=icon, key=key, on_change="rerun")
    return box if box.open else None
