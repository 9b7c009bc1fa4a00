"""Choosing one of several: the row of segments on all pages, and a slider over signed numbers."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isclose
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.figures.labels import Number
from viz.language.text import _, capital
from viz.link import address

Option = TypeVar("Option", bound=str)
Signed = TypeVar("Signed", int, float)

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
    """Draw options of which one is always chosen, first `default` or the first; return it.

    A mapping gives their names on screen; a sequence holds texts for `later`, which are translated.
    With `link`, the link holds the options themselves, in any language. `bare` shows no label. All
    begin with a capital, unless they are `quoted`.
    """
    names = options if isinstance(options, Mapping) else {one: _(one) for one in options}
    first = default or next(iter(names))
    held = _held(key, link)
    chosen = next((option for option in names if option == held), first)
    st.session_state[key] = chosen
    if link:
        _keep(key, chosen, first)
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


def choose_number(label: str, numbers: Sequence[Signed], key: str, default: Signed) -> Signed:
    """Draw a slider over numbers, which are in the link; return the chosen one.

    It is for numbers below zero, as Streamlit's own slider writes a hyphen for the minus sign.
    """
    held, chosen = _held(key), default
    with suppress(ValueError):  # the link has no number
        wanted = float(default if held is None else held)
        chosen = next((one for one in numbers if isclose(one, wanted, abs_tol=1e-6)), default)
    st.session_state[key] = chosen
    _keep(key, str(chosen), str(default))
    digits = ".0f" if isinstance(default, int) else ".1f"
    st.select_slider(
        label, numbers, format_func=lambda one: f"{Number(one):{digits}}", key=key, width=320
    )
    return chosen


def open_choices(page: str) -> None:
    """Drop the choices where the link counts, and those that other pages have put into it.

    Streamlit would bind a control to the link by its words on screen, which differ between
    languages. So this module writes the choices into the link and the session itself.
    """
    kept: dict[str, str] = st.session_state.setdefault(_KEPT, {})
    if address.walked():
        for key in kept:
            st.session_state.pop(key, None)
        st.session_state[_KEPT] = {}
    elif st.session_state.get(_PAGE, page) != page:
        address.put(dict.fromkeys(kept, ""))
    st.session_state[_PAGE] = page


def _held(key: str, link: bool = True) -> str | float | None:
    """Return the session's value, else the link's, else the last choice here."""
    held = st.session_state.get(key)
    if held is None and link:
        held = address.parameters().get(key) or st.session_state.get(_KEPT, {}).get(key)
    return held


def _keep(key: str, chosen: str, first: str) -> None:
    """Write the choice into the link, unless it is the page's default."""
    st.session_state.setdefault(_KEPT, {})[key] = chosen
    address.put({key: "" if chosen == first else chosen})
