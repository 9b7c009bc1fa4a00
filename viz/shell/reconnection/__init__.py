"""Redraw the page when the browser is connected again, perhaps to another server."""

from pathlib import Path

import streamlit as st

from viz.components.component import renderer

_MAIN = Path(__file__).parent / "assets" / "reconnection.js"


def reconnection() -> None:
    """Draw nothing, but run the page again after every loss of the connection.

    Streamlit leaves the page as it stands then. A server that has never seen this visitor knows
    neither its downloads nor its state before something is clicked.
    """
    with st.sidebar:
        renderer("reconnection", _MAIN)(key="reconnection", on_back_change=lambda: None)
