"""The link of the page on screen: when it counts, what it says, and how it is written.

Streamlit sends the link with every rerun, at times that of a moment ago: so it counts when a
session begins and when the browser walks through its history, and else the session knows better.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.compute import models
from viz.language.text import CHOSEN
from viz.link.table import CLASSROOM, NAMES

Value = TypeVar("Value")

BOUND = "query-params"
"""What binds a widget to the link: its value is read there and written there."""

TEXTS = frozenset({"sentence", "second"})
"""The parameters that may be empty: texts that a reader can delete."""

PERSON = "person"
"""The key of who a visitor is in a class, which stays as long as the visit."""

_PLACE = "place"


def open_link() -> None:
    """Let an empty parameter mean the default, for whatever widget is bound to it; before them."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as parameters:
        given = {name: parameters.get_all(name) for name in parameters}
        told = {name: texts for name, texts in given.items() if any(texts) or name in TEXTS}
        if len(told) < len(given):
            parameters.set_initial_query_params(urlencode(told, doseq=True))


def walked() -> bool:
    """Tell whether the browser came here through its history, or by a link within the app."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def counts(key: str) -> bool:
    """Tell whether what the session holds under a key is to be read from the link."""
    return key not in st.session_state or walked()


def held(key: str, read: Callable[[], Value]) -> Value:
    """Return what the session holds under a key, which is `read` anew where the link counts."""
    if counts(key):
        st.session_state[key] = read()
    return st.session_state[key]


def parameters() -> dict[str, str]:
    """Return the parameters of the link; an empty one is none."""
    return {name: text for name, text in st.query_params.to_dict().items() if text}


def put(wanted: Mapping[str, str]) -> None:
    """Let the link say this; an empty text takes a parameter out.

    Raises ValueError for a parameter that is not in the table.
    """
    if unknown := wanted.keys() - NAMES:
        raise ValueError(f"not in viz/link/table.py: {', '.join(sorted(unknown))}")
    now = st.query_params.to_dict()
    changed = {name: text for name, text in wanted.items() if text and now.get(name) != text}
    if changed:
        st.query_params.update(changed)
    for name, text in wanted.items():
        if not text and name in now:
            del st.query_params[name]


def link(page: str, said: Iterable[tuple[str, str]]) -> str:
    """Return a link to a page, relative to any page of the app."""
    query = urlencode(list(said), quote_via=quote)
    return f"{page}?{query}" if query else page


def arrive(place: str, said: Iterable[tuple[str, str]] = ()) -> None:
    """Open a place whose link says everything, such as a scene; earlier choices are forgotten.

    The language, the model and the class stay: they were read from the link already.

    Streamlit drops from a link what widgets of the page before had bound, although the new page may
    have the same: what is missing of what was `said` is put back, and the script begins again.
    """
    if not place or st.session_state.get(_PLACE) == place:
        st.session_state[_PLACE] = place
        return
    chosen = (CHOSEN, models.CHOSEN, PERSON, *CLASSROOM)
    kept = {name: st.session_state[name] for name in chosen if name in st.session_state}
    st.session_state.clear()
    st.session_state.update({**kept, _PLACE: place})
    missing = [each for each in said if each[0] not in st.query_params]
    for name, text in missing:
        # The sentence box is on all pages: its value is missing where it is the first sentence.
        with suppress(StreamlitAPIException):
            st.query_params[name] = text
    if any(name in st.query_params for name, _text in missing):
        st.rerun()


def arrival() -> str:
    """Return the last place that was opened, by its name; whoever reads the link reads it there."""
    return str(st.session_state.get(_PLACE, ""))
