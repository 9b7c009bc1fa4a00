"""The lines of Python with which the public API of `headlight` computes the numbers of a view."""

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
    """Read the `in_python.toml` of all pages: the lines of Python, by page and view.

    The views have their English names; a page without views has the one name "page". Before these
    lines run, `translator` and `recording` are made. `code_of` replaces $sentence, $second (the
    other sentence of a pair), and $kind, $layer and $head (the head in focus, from 0).
    """
    paths = {entry.link: entry.folder / "in_python.toml" for entry in COURSE}
    return {
        link: tomllib.loads(path.read_text(encoding="utf-8"))
        for link, path in paths.items()
        if path.is_file()
    }


@fragment
def show_code(entry: PageEntry) -> None:
    """Offer the lines of the view in a closed box at its foot; offer nothing if they cannot run."""
    sentence, view = state.sentence(), current_view() or "page"
    lines = written().get(entry.link, {}).get(view)
    if not lines or not sentence.strip() or models.is_recurrent(models.in_force()):
        return
    if box := opened(_("In Python"), KEY, ":material/terminal:"):
        box.code(code_of(entry, lines, sentence), language="python")


def code_of(entry: PageEntry, lines: str, sentence: str) -> str:
    """Fill the lines with the sentence, the interventions and the head in focus."""
    # Only pages with the box for a sentence read the head and the interventions from the link.
    config, is_open = runs.translator().config, entry.has_box
    mixing = openings.mixing(sentence) if entry.mixes else ()
    first = mixing[0].place if mixing else None
    view = state.shown_head(config, first) if is_open else Head(config.kinds[0], 0, 0)
    interventions = edits.interventions() if is_open else ()
    pairs = examples.current().pairs
    second = st.session_state.get("second") or (pairs[0].second if pairs else sentence)
    filled = Template(lines).substitute(
        sentence=repr(sentence),
        second=repr(second),
        kind=view.kind,
        layer=view.layer,
        head=view.head,
    )
    return "\n".join(ordered([*opening(sentence, interventions), *filled.splitlines()]))


def opening(sentence: str, changes: Sequence[Intervention]) -> list[str]:
    """Return the lines that load the model in force and record a sentence with interventions."""
    names = ("load_translator", *(type(intervention).__name__ for intervention in changes))
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
    """Return the lines with the imports first, each of them once."""
    imports = [line for line in dict.fromkeys(lines) if line.startswith(IMPORTING)]
    return [*imports, *(line for line in lines if not line.startswith(IMPORTING))]
