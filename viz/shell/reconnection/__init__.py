"""A redraw of the page once the browser is connected again, perhaps to another server."""

from pathlib import Path

import streamlit as st

from viz.components.component import renderer

_MAIN = Path(__file__).parent / "assets" / "reconnection.js"


def reconnection() -> None:
    """Draw nothing, but run the page again whenever a lost connection has been restored.

    Streamlit itself would leave the page as it was. A new server does not know this visitor: until
    something is pressed, it would have neither the page's downloads nor its state.
    """
    with st.sidebar:
        renderer("reconnection", _MAIN)(key="reconnection", on_back_change=lambda: None)
