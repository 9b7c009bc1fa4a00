"""One of several: the row of segments that all pages share."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.shared.text import _, capital
from viz.shell import link as address

Option = TypeVar("Option", bound=str)

_KEPT, _PAGE = "choices kept", "choices of"


def choose_one(
    label: str,
    options: Mapping[Option, str] | Sequence[Option],
    key: str,
    *,
    default: Option | None = None,
    row: DeltaGenerator | None = None,
    link: bool = True,
    bare: bool = False,
    quoted: bool = False,
    help: str | None = None,
) -> Option:
    """Draw options of which one is always chosen, at first `default` or the first; return it.

    A mapping names them on screen; a sequence holds texts for `later`, which are translated. The
    link holds the options themselves, whatever the language, if `link` says so. `bare` shows no
    label. All begin with a capital, unless they are `quoted`.
    """
    names = options if isinstance(options, Mapping) else {one: _(one) for one in options}
    first = default or next(iter(names))
    st.session_state[key] = chosen = _chosen(key, list(names), first, link)
    if link:
        st.session_state.setdefault(_KEPT, {})[key] = chosen
        address.put({key: "" if chosen == first else chosen})
    (row or st).segmented_control(
        label,
        list(names),
        format_func=names.__getitem__ if quoted else lambda one: capital(names[one]),
        required=True,
        key=key,
        help=help,
        label_visibility="collapsed" if bare else "visible",
    )
    return chosen


def open_choices(page: str) -> None:
    """Forget what was chosen where the link counts, and what other pages have put into it.

    Streamlit would bind a control to the link by its words on screen, which are not the same in
    every language: so the choices stand there and in the session by our own hand.
    """
    kept: dict[str, str] = st.session_state.setdefault(_KEPT, {})
    if address.walked():
        for key in kept:
            st.session_state.pop(key, None)
        st.session_state[_KEPT] = {}
    elif st.session_state.get(_PAGE, page) != page:
        address.put(dict.fromkeys(kept, ""))
    st.session_state[_PAGE] = page


def _chosen(key: str, options: Sequence[Option], first: Option, link: bool) -> Option:
    """Return what the session holds, else what the link says, else what was chosen last here."""
    held = st.session_state.get(key)
    if held is None and link:
        held = address.parameters().get(key) or st.session_state.get(_KEPT, {}).get(key)
    return next((option for option in options if option == held), first)
