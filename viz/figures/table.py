"""A small table of numbers and words on a page."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from viz.figures.letters import STAGE

MISSING = "\u2013"
"""The text for a missing value in a table."""

Columns = Mapping[str, Sequence[object]]
Rows = Sequence[Mapping[str, object]]


def show_table(
    written: Columns | Rows, height: int | Literal["auto", "content"] = "auto", link: str = ""
) -> None:
    """Draw named columns, or rows of named cells; the table scrolls beyond a height in pixels.

    The column `link` holds addresses, each shown as a link with the column's name.

    Streamlit paints its interactive tables in letters of one size. A class gets a plain table, in
    letters as large as the page's, with the same digits.
    """
    if st.session_state.get(STAGE):
        high = "content" if height == "auto" else height
        columns = _plain(written)
        if link:
            columns[link] = [f"[{link}]({address})" for address in columns[link]]
        st.table(columns, hide_index=True, height=high)
    else:
        column_config = (
            {link: st.column_config.LinkColumn(link, display_text=link)} if link else None
        )
        st.dataframe(
            written,
            hide_index=True,
            height=height,
            placeholder=MISSING,
            column_config=column_config,
        )


def _plain(written: Columns | Rows) -> dict[str, list[object]]:
    """Return a plain table's columns as texts, since it would give fractions four decimals."""
    if isinstance(written, Mapping):
        columns = {name: list(cells) for name, cells in written.items()}
    else:
        names = dict.fromkeys(name for row in written for name in row)
        columns = {name: [row.get(name) for row in written] for name in names}
    return {
        # In a column with a fraction or a gap, a whole number would become a fraction.
        name: [_text(cell) for cell in cells]
        if any(cell is None or isinstance(cell, float) for cell in cells)
        else cells
        for name, cells in columns.items()
    }


def _text(cell: object) -> str:
    """Write a cell as interactive tables do: at most four decimals, without final zeros."""
    if cell is None or cell != cell:
        return MISSING
    return f"{cell:.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
