"""Controls for a choice: a row of segments or a menu, and sliders over numbers."""

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
    """Draw options of which one is always chosen, at first `default` or the first; return it.

    A mapping gives their names on screen; a sequence holds texts for `later`, which are translated.
    With `link`, the link holds the options themselves, whatever the language. `bare` shows no
    label. Names begin with a capital, unless they are `quoted`. A `menu` has room for more options
    than a row. `on_change` is called when the user chooses, before the page runs.
    """
    names = options if isinstance(options, Mapping) else {choice: _(choice) for choice in options}
    chosen = held_choice(list(names), key, default, link=link)
    container, written = (
        row or st,
        names.__getitem__ if quoted else lambda choice: capital(names[choice]),
    )
    visibility: Literal["collapsed", "visible"] = "collapsed" if bare else "visible"
    if menu:
        container.selectbox(
            label,
            list(names),
            format_func=written,
            key=key,
            help=help,
            on_change=on_change,
            label_visibility=visibility,
            width=320,
        )
    else:
        container.segmented_control(
            label,
            list(names),
            format_func=written,
            required=True,
            key=key,
            help=help,
            on_change=on_change,
            label_visibility=visibility,
        )
    return chosen


def held_choice(
    options: Sequence[Option], key: str, default: Option | None = None, *, link: bool = True
) -> Option:
    """Return the chosen option, at first `default` or the first, for a control with this key.

    The session keeps it and, with `link`, so does the link.
    """
    opening = default or options[0]
    held = _held(key, link)
    chosen = next((option for option in options if option == held), opening)
    st.session_state[key] = chosen
    if link:
        _keep(key, chosen, opening)
    return chosen


def choose_number(label: str, numbers: Sequence[Signed], key: str, default: Signed) -> Signed:
    """Draw a slider over numbers, which the link holds; return the chosen number.

    It is for numbers below zero, where Streamlit's own slider writes a hyphen as minus sign.
    """
    held, number = _held(key), default
    with suppress(ValueError):  # the link has no number
        held_number = float(default if held is None else held)
        number = next(
            (choice for choice in numbers if isclose(choice, held_number, abs_tol=1e-6)), default
        )
    st.session_state[key] = number
    _keep(key, str(number), str(default))
    digits = ".0f" if isinstance(default, int) else ".1f"
    st.select_slider(
        label, numbers, format_func=lambda choice: f"{Number(choice):{digits}}", key=key, width=320
    )
    return number


def choose_between(
    label: str, values: Sequence[float], digits: int, key: str, row: DeltaGenerator
) -> list[bool]:
    """Draw a slider with two ends over all `values`; return which lie between the ends.

    All values, even NaN, lie between the outermost ends, and where there is nothing to choose.
    """
    rounded = [round(value, digits) + 0.0 for value in values]  # + 0.0: no minus before a zero
    stops = sorted({value for value in rounded if not isnan(value)})
    if len(stops) < 2:
        return [True] * len(values)
    held = st.session_state.get(key)
    if held is not None and any(end not in stops for end in held):
        del st.session_state[key]
    ends = stops[0], stops[-1]
    low, high = row.select_slider(
        label, stops, ends, format_func=lambda end: f"{Number(end):.{digits}f}", key=key, width=260
    )
    if (low, high) == ends:
        return [True] * len(values)
    return [low <= value <= high for value in rounded]


def open_choices(page: str) -> None:
    """Drop the choices where the link counts, and the choices that other pages put into the link.

    Streamlit would write a control's words on screen into the link, which differ between languages.
    So this module itself writes the choices into the link and the session.
    """
    last_choices: dict[str, str] = st.session_state.setdefault(_KEPT, {})
    if address.walked():
        for key in last_choices:
            st.session_state.pop(key, None)
        st.session_state[_KEPT] = {}
    elif st.session_state.get(_PAGE, page) != page:
        address.put(dict.fromkeys(last_choices, ""))
    st.session_state[_PAGE] = page


def _held(key: str, link: bool = True) -> str | float | None:
    """Return the session's value, else the link's, else the last choice on this page."""
    held = st.session_state.get(key)
    if held is None and link:
        held = address.parameters().get(key) or st.session_state.get(_KEPT, {}).get(key)
    return held


def _keep(key: str, chosen: str, first: str) -> None:
    """Write the choice into the link, unless it is the page's default."""
    st.session_state.setdefault(_KEPT, {})[key] = chosen
    address.put({key: "" if chosen == first else chosen})
