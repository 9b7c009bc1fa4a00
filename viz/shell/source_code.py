"""The code behind a picture: lines from this project's own files."""

from collections.abc import Sequence

import streamlit as st

from viz.compute import sources
from viz.compute.sources import Code
from viz.language.text import _
from viz.link.choice import choose_one
from viz.shell.folded import opened

KEY = "source code"
"""The key of the box."""


def show_source(codes: Sequence[Code]) -> None:
    """Offer pieces of code in a closed box, which opens on the first of them."""
    box = opened(_("The code that made this"), KEY, ":material/code:")
    if box is None:
        return
    with box:
        by_name = {code.name: code for code in codes}
        names = {name: f"`{name}`" for name in by_name}
        chosen = choose_one(_("Code"), names, "source", link=False, bare=True, quoted=True)
        code = by_name[chosen]
        last = code.first + code.text.count("\n")
        st.caption(
            _("`{file}`, lines {first} to {last}").format(
                file=code.file, first=code.first, last=last
            )
        )
        st.code(code.text, language="python")


def show_source_of(subject: sources.Subject) -> None:
    """Offer the code that belongs to a subject in a closed box."""
    show_source([sources.read(code) for code in sources.OF_SUBJECTS[subject]])
