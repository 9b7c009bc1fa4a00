"""The lines of Python that give the numbers of a page, with the public API of `model`."""

from collections.abc import Sequence

import streamlit as st

from model.interventions.base import Intervention
from model.sites.sites import Head
from viz.compute import examples, models, runs
from viz.language.text import _
from viz.link import edits
from viz.shell import state
from viz.shell.navigation import PageEntry


def show_code(entry: PageEntry) -> None:
    """Offer the lines of a page at its foot, closed at first; none where they cannot run."""
    sentence = state.sentence()
    if not entry.python or not sentence.strip() or models.is_recurrent(models.in_force()):
        return
    with st.expander(_("In Python"), icon=":material/terminal:"):
        st.code(code_of(entry, sentence), language="python")


def code_of(entry: PageEntry, sentence: str) -> str:
    """Write the lines of a page for a sentence, as the model is changed, and the head in focus."""
    # What stands in the link is read where a page has the box for a sentence.
    config, is_open = runs.translator().config, entry.has_box
    view = state.shown_head(config) if is_open else Head(config.kinds[0], 0, 0)
    changes = edits.interventions() if is_open else ()
    pairs = examples.current().pairs
    second = st.session_state.get("second") or (pairs[0].second if pairs else sentence)
    lines = [
        line.format(
            sentence=repr(sentence),
            second=repr(second),
            kind=view.kind,
            layer=view.layer,
            head=view.head,
        )
        for line in entry.python
    ]
    return "\n".join(ordered([*opening(sentence, changes), *lines]))


def opening(sentence: str, changes: Sequence[Intervention]) -> list[str]:
    """Write the lines that load the model in force and record a sentence, changed or not."""
    lines = ["from model import load_translator"]
    lines += [f"from {kind.__module__} import {kind.__name__}" for kind in map(type, changes)]
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
    """Put imports first, each once."""
    imports = [line for line in dict.fromkeys(lines) if line.startswith("from ")]
    return [*imports, *(line for line in lines if not line.startswith("from "))]
