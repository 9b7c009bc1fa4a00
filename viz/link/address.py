"""The link of the page on screen: reading and writing it, and when it wins over the session.

Streamlit sends the link with every rerun, but sometimes an old link. So the link counts only when a
session begins and when the browser moves through its history; otherwise the session has the newer
values.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.compute import models
from viz.course.pages import page_links
from viz.link.table import CLASSROOM, NAMES, OWN

Value = TypeVar("Value")

BOUND = "query-params"
"""The setting that binds a widget to the link: its value is read and written there."""

TEXTS = frozenset({"sentence", "second"})
"""The parameters that may be empty: texts that a reader can delete."""

PERSON = "person"
"""The key of a visitor's identity in a class, which stays as long as the visit."""

ANSWERS = "answers in lessons"
"""The key of a visitor's choices in scenes of lessons, which stay as long as the visit."""

_PLACE = "place"


def root() -> str:
    """Return the app's address as this browser reached it, "http://host/course/x"; "" without one.

    Streamlit gives the address of the page on screen.
    """
    url = str(st.context.url or "").partition("?")[0].rstrip("/")
    if url and (path := st.get_option("server.baseUrlPath").strip("/")):
        host = urlsplit(url)
        return f"{host.scheme}://{host.netloc}/{path}"
    above, _slash, last = url.rpartition("/")
    return above if last in page_links() else url


def open_link() -> None:
    """Let an empty parameter mean the default of its bound widget. Call this before the widgets."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as parameters:
        values_of = {name: parameters.get_all(name) for name in parameters}
        told = {name: texts for name, texts in values_of.items() if any(texts) or name in TEXTS}
        if len(told) < len(values_of):
            parameters.set_initial_query_params(urlencode(told, doseq=True))


def walked() -> bool:
    """Return True if the browser came through its history, or by a link within the app."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def counts(key: str) -> bool:
    """Return True if the session's value under a key must be read from the link."""
    return key not in st.session_state or walked()


def held(key: str, read: Callable[[], Value]) -> Value:
    """Return the session's value under a key; where the link counts, `read` renews it first."""
    if counts(key):
        st.session_state[key] = read()
    return st.session_state[key]


def parameters() -> dict[str, str]:
    """Return the parameters of the link; an empty one is left out."""
    return {name: value for name, value in st.query_params.to_dict().items() if value}


def put(wanted: Mapping[str, str]) -> None:
    """Write parameters into the link; an empty text removes one.

    Raises ValueError for a parameter that is not in the table.
    """
    if unknown := wanted.keys() - NAMES:
        raise ValueError(f"not in viz/link/table.py: {', '.join(sorted(unknown))}")
    current = st.query_params.to_dict()
    changed = {
        name: value for name, value in wanted.items() if value and current.get(name) != value
    }
    if changed:
        st.query_params.update(changed)
    for name, value in wanted.items():
        if not value and name in current:
            del st.query_params[name]


def link(page: str, said: Iterable[tuple[str, str]]) -> str:
    """Return a link to a page, relative to any page of the app."""
    query = urlencode(list(said), quote_via=quote)
    return f"{page}?{query}" if query else page


def arrive(place: str, said: Iterable[tuple[str, str]] = ()) -> None:
    """Open a place with a complete link, such as a scene; earlier choices are dropped.

    The language, the mode, the model and the class, which were already read from the link, stay,
    and so do the answers given in other scenes.

    Streamlit removes from a link the parameters bound by the page before, although the new page may
    have them too. Those of `said` that are missing are put back, and the script begins again.
    """
    if not place or st.session_state.get(_PLACE) == place:
        st.session_state[_PLACE] = place
        return
    keys = (*OWN, models.CHOSEN, PERSON, ANSWERS, *CLASSROOM)
    values = {name: st.session_state[name] for name in keys if name in st.session_state}
    st.session_state.clear()
    st.session_state.update({**values, _PLACE: place})
    missing = [parameter for parameter in said if parameter[0] not in st.query_params]
    for name, value in missing:
        # The sentence box is on all pages; the link omits the first sentence.
        with suppress(StreamlitAPIException):
            st.query_params[name] = value
    if any(name in st.query_params for name, _text in missing):
        st.rerun()


def arrival() -> str:
    """Return the name of the last place opened by a link; readers of the link then reread it."""
    return str(st.session_state.get(_PLACE, ""))
