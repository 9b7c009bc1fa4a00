"""Choosing one of several: a row of segments or a menu, and sliders over numbers."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import isclose, isnan
from typing import Literal, TypeVar

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
    menu: bool = False,
    help: str | None = None,
    on_change: Callable[[], None] | None = None,
) -> Option:
    """Draw options of which one is always chosen, first `default` or the first; return it.

    A mapping gives their names on screen; a sequence holds texts for `later`, which are translated.
    With `link`, the link holds the options themselves, in any language. `bare` shows no label. All
    begin with a capital, unless they are `quoted`. Many make a `menu` instead of a row.
    `on_change` is called when the user chooses, before the page.
    """
    names = options if isinstance(options, Mapping) else {one: _(one) for one in options}
    first = default or next(iter(names))
    held = _held(key, link)
    chosen = next((option for option in names if option == held), first)
    st.session_state[key] = chosen
    if link:
        _keep(key, chosen, first)
    place, written = row or st, names.__getitem__ if quoted else lambda one: capital(names[one])
    shown: Literal["collapsed", "visible"] = "collapsed" if bare else "visible"
    if menu:
        place.selectbox(
            label,
            list(names),
            format_func=written,
            key=key,
            help=help,
            on_change=on_change,
            label_visibility=shown,
            width=320,
        )
    else:
        place.segmented_control(
            label,
            list(names),
            format_func=written,
            required=True,
            key=key,
            help=help,
            on_change=on_change,
            label_visibility=shown,
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


def choose_between(
    label: str, values: Sequence[float], digits: int, key: str, row: DeltaGenerator
) -> list[bool]:
    """Draw a slider with two ends over all `values`; return which lie between the ends.

    Between the outermost ends, and where there is nothing to choose, lie all, NaN as well.
    """
    rounded = [round(value, digits) + 0.0 for value in values]  # no minus before a zero
    known = sorted({value for value in rounded if not isnan(value)})
    if len(known) < 2:
        return [True] * len(values)
    held = st.session_state.get(key)
    if held is not None and any(one not in known for one in held):
        del st.session_state[key]
    ends = known[0], known[-1]
    low, high = row.select_slider(
        label, known, ends, format_func=lambda one: f"{Number(one):.{digits}f}", key=key, width=260
    )
    if (low, high) == ends:
        return [True] * len(values)
    return [low <= value <= high for value in rounded]


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
