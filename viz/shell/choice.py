"""One of several: the row of segments that all pages share."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.shell.state import LINK

Option = TypeVar("Option", bound=str)


def choose_one(
    label: str,
    options: Mapping[Option, str] | Sequence[Option],
    key: str,
    *,
    default: Option | None = None,
    row: DeltaGenerator | None = None,
    link: bool = True,
    bare: bool = False,
    help: str | None = None,
) -> Option:
    """Draw options of which one is always chosen, at first `default` or the first; return it.

    A mapping names them on screen; the link holds them as they are, if `link` says so. `bare`
    shows no label.
    """
    names = options if isinstance(options, Mapping) else {option: option for option in options}
    return (row or st).segmented_control(
        label,
        list(names),
        format_func=names.__getitem__,
        default=default or next(iter(names)),
        required=True,
        key=key,
        bind=LINK if link else None,
        help=help,
        label_visibility="collapsed" if bare else "visible",
    )
