"""The lines of Python that compute the numbers of a view with the public API of `headlight`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from string import Template

import streamlit as st

from model.interventions.base import Intervention
from model.sites.sites import Head
from viz.compute import examples, models, openings, runs
from viz.course.entry import PageEntry
from viz.course.pages import COURSE
from viz.language.text import _
from viz.link import edits
from viz.shell import state
from viz.shell.folded import opened
from viz.shell.fragment import fragment
from viz.shell.navigation import current_view

KEY = "in Python"
"""The key of the box."""

IMPORTING = ("from ", "import ")


@cache
def written() -> Mapping[str, Mapping[str, str]]:
    """Read the `in_python.toml` of all pages: by page and view, the lines that give its numbers.

    The views have their English names, or "page" on a page without any. `translator` and
    `recording` are there already; $sentence, $second (the other one of a pair), and $kind, $layer
    and $head (the head in focus, from 0) are put in. Imports stand first on screen.
    """
    paths = {entry.link: entry.folder / "in_python.toml" for entry in COURSE}
    return {
        link: tomllib.loads(path.read_text(encoding="utf-8"))
        for link, path in paths.items()
        if path.is_file()
    }


@fragment
def show_code(entry: PageEntry) -> None:
    """Offer the lines of the view in a closed box at its foot; nothing where they cannot run."""
    sentence, view = state.sentence(), current_view() or "page"
    lines = written().get(entry.link, {}).get(view)
    if not lines or not sentence.strip() or models.is_recurrent(models.in_force()):
        return
    if box := opened(_("In Python"), KEY, ":material/terminal:"):
        box.code(code_of(entry, lines, sentence), language="python")


def code_of(entry: PageEntry, lines: str, sentence: str) -> str:
    """Fill the lines with the sentence, the changes in the model and the head in focus."""
    # Only pages with the box for a sentence read the head and the changes from the link.
    config, is_open = runs.translator().config, entry.has_box
    mixing = openings.mixing(sentence) if entry.mixes else ()
    first = mixing[0].place if mixing else None
    view = state.shown_head(config, first) if is_open else Head(config.kinds[0], 0, 0)
    changes = edits.interventions() if is_open else ()
    pairs = examples.current().pairs
    second = st.session_state.get("second") or (pairs[0].second if pairs else sentence)
    filled = Template(lines).substitute(
        sentence=repr(sentence),
        second=repr(second),
        kind=view.kind,
        layer=view.layer,
        head=view.head,
    )
    return "\n".join(ordered([*opening(sentence, changes), *filled.splitlines()]))


def opening(sentence: str, changes: Sequence[Intervention]) -> list[str]:
    """Write the lines that load the model in force and record a sentence with the changes."""
    names = ("load_translator", *(type(change).__name__ for change in changes))
    lines = [f"from headlight import {name}" for name in names]
    lines.append(f'translator = load_translator("{models.in_force()}")')
    if not changes:
        return [*lines, f"recording = translator.record({sentence!r})"]
    return [
        *lines,
        f"changes = {list(changes)!r}",
        f"written = translator.translate({sentence!r}, interventions=changes)",
        f"recording = translator.record({sentence!r}, written, changes)",
    ]


def ordered(lines: Sequence[str]) -> list[str]:
    """Put the imports first, each of them once."""
    imports = [line for line in dict.fromkeys(lines) if line.startswith(IMPORTING)]
    return [*imports, *(line for line in lines if not line.startswith(IMPORTING))]
