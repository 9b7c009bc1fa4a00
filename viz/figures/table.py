"""A small table of numbers and words on a page."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from viz.figures.letters import STAGE

Columns = Mapping[str, Sequence[object]]
Rows = Sequence[Mapping[str, object]]


def show_table(written: Columns | Rows, height: int | Literal["auto", "content"] = "auto") -> None:
    """Draw named columns, or rows of named cells; the table scrolls beyond a height in pixels.

    Streamlit paints its interactive tables in letters of one size. A class gets a plain table,
    which is as large as the page around it.
    """
    if st.session_state.get(STAGE):
        st.table(written, hide_index=True, height="content" if height == "auto" else height)
    else:
        st.dataframe(written, hide_index=True, height=height)
