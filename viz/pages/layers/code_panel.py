"""The code beside the picture: the lines that made a block, and how to get its numbers."""

from collections.abc import Sequence

import streamlit as st

from model.interventions.base import Intervention
from viz.compute import models, sources
from viz.compute.runs import Run
from viz.language.text import _
from viz.pages.layers.architecture.blocks import SOFTMAX, Block


def code_panel(run: Run, chosen: Block) -> None:
    """Show the lines of the model that made a block, and the public API that gives its array."""
    code = sources.code_of(chosen.site, run.recording)
    with st.expander(_("The code that made this"), icon=":material/code:"):
        last = code.first + code.text.count("\n")
        st.caption(
            _("`{file}`, lines {first} to {last}").format(
                file=code.file, first=code.first, last=last
            )
        )
        st.code(code.text, language="python")
    with st.expander(_("In Python"), icon=":material/terminal:"):
        st.code(in_python(run, chosen.site), language="python")


def in_python(run: Run, site: str) -> str:
    """Write the lines of the public API that give the array on screen."""
    changes = run.recording.interventions
    shape = run.recording.logits.shape if site == SOFTMAX else run.recording[site].shape
    read = f'recording["{site}"]'
    if site == SOFTMAX:
        read = "scipy.special.softmax(recording.logits, axis=1)"
    return "\n".join(
        (
            _imports(changes),
            f'translator = load_translator("{models.in_force()}")',
            f"recording = translator.record({_arguments(run, changes)})",
            f"{read}  # {' x '.join(map(str, shape))}",
        )
    )


def _imports(changes: Sequence[Intervention]) -> str:
    lines = ["from model import load_translator"]
    for kind in map(type, changes):
        lines.append(f"from {kind.__module__} import {kind.__name__}")
    return "\n".join(dict.fromkeys(lines))


def _arguments(run: Run, changes: Sequence[Intervention]) -> str:
    if not changes:
        return repr(run.source.text)
    return f"{run.source.text!r}, {run.translation.text!r}, {list(changes)!r}"
