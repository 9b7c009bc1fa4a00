"""The link of the page on screen: when it counts, what an empty parameter means, how it is written.

Streamlit sends the link with every rerun, at times that of a moment ago: so it counts when a
session begins and when the browser walks through its history, and else the session knows better.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

BOUND = "query-params"
"""What binds a widget to the link: its value is read there and written there."""

TEXTS = frozenset({"sentence", "second"})
"""The parameters that may be empty: texts that a reader can delete."""


def open_link() -> None:
    """Let an empty parameter mean the default, for whatever widget is bound to it; before them."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as parameters:
        given = {name: parameters.get_all(name) for name in parameters}
        said = {name: texts for name, texts in given.items() if any(texts) or name in TEXTS}
        if len(said) < len(given):
            parameters.set_initial_query_params(urlencode(said, doseq=True))


def walked() -> bool:
    """Tell whether the browser came here through its history, or by a link within the app."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def parameters() -> dict[str, str]:
    """Return the parameters of the link; an empty one is none."""
    return {name: text for name, text in st.query_params.to_dict().items() if text}


def put(wanted: Mapping[str, str]) -> None:
    """Let the link say this; an empty text takes a parameter out."""
    now = st.query_params.to_dict()
    changed = {name: text for name, text in wanted.items() if text and now.get(name) != text}
    if changed:
        st.query_params.update(changed)
    for name, text in wanted.items():
        if not text and name in now:
            del st.query_params[name]
