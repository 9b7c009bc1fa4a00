"""One of two models on a sentence, and the picture of where it looked."""

import re
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recording.sites import Kind, heads_of, layers_of
from viz.components.alignments import Panel
from viz.components.head_picker import head_picker
from viz.compute import ancestors, examples, models, runs
from viz.compute.runs import Run
from viz.language.text import _
from viz.language.wording import escaped
from viz.shell import focus, link, state
from viz.shell.chooser import no_attention, why_not
from viz.shell.heavy import shown
from viz.shell.state import View

MEAN = "mean"

OWN, OTHER = "head_1", "head_2"
"""What links call the heads of both; that of the model in force is as a rule that of all pages."""

Head = tuple[int, int]
"""A layer and a head, from 0."""


@dataclass(frozen=True, eq=False)
class Side:
    """A model's name and what it did with the sentence."""

    name: str
    run: Run


def choose_other(name: str) -> str | None:
    """Draw the choice of the other model and return it; None when there is no other.

    A model of other languages has no use for the sentence; where they are not known it may have.
    """
    own = examples.of(name)
    known = {other: examples.of(other) for other in models.folders() if other != name}
    same = (own.source, own.target), ("", "")
    others = [other for other, one in known.items() if (one.source, one.target) in same]
    if not own.source:
        others = list(known)
    if not others:
        return None
    if st.session_state.get("beside", others[0]) not in others:
        del st.session_state["beside"]
    chosen = st.selectbox(
        _("Beside {name}").format(name=escaped(name)),
        others,
        key="beside",
        bind=state.LINK,
        width=320,
    )
    return str(chosen)


def beside(name: str, sentence: str) -> Side | None:
    """Run the other model; None, and a sentence on the page, when it cannot be opened."""
    with models.using(name):
        if why := why_not():
            st.info(why)
            return None
        with shown(_("Translating with the other model")):
            return Side(name, runs.run(sentence))


def alignment_of(side: Side, target: str | None, place: DeltaGenerator, key: str) -> Panel:
    """Draw the choice of a head, and return the picture of it.

    The rows are the model's own translation, or a given one.
    """
    with models.using(side.name):
        recording = side.run.recording
        if target is not None:
            recording = runs.recorded(side.run.source.text, target)
        config = recording.made_by
        best = ancestors.best_aligned()
    tokens = recording.target_tokens, recording.source_tokens
    text = side.run.translation.text
    sizes = layers_of("cross", config), heads_of(config)
    if not sizes[0]:
        return Panel(side.name, text, *tokens, None, no_attention())
    with place:
        chosen = _choose_head(side.name, sizes, best, key)
    weights = recording.attention("cross")
    if chosen is None:
        return Panel(side.name, text, *tokens, weights.mean(axis=(0, 1), dtype=np.float32))
    note = _("Its best aligned head, as measured.") if chosen == best else ""
    title = _("{name}, cross {head}").format(name=side.name, head=_write(chosen))
    return Panel(title, text, *tokens, weights[chosen], note)


def _choose_head(name: str, sizes: Head, best: Head | None, key: str) -> Head | None:
    """Draw the board of a model's heads; at first the measured one is chosen, or their mean.

    `sizes` are its layers and heads. None is the mean. The link says the head as `key`; that of
    the model in force is the head of all pages, if this is one of cross-attention.
    """
    if sizes == (1, 1):
        return 0, 0
    if key not in st.session_state or link.walked():
        st.session_state[key] = st.query_params.get(key, "")
    asked = st.session_state[key]
    if asked and asked != MEAN and _read(asked, sizes) is None:
        state.say_refused(_("head"), asked)
        asked = st.session_state[key] = ""

    def choose(_kind: Kind, layer: int | None, head: int | None) -> None:
        if layer is None or head is None:
            st.session_state[key] = MEAN
        elif key == OWN:
            st.session_state[key] = ""
            state.show_head(View("cross", layer, head))
        else:
            st.session_state[key] = _write((layer, head))

    known = _read(asked, sizes)
    if known and key == OWN:
        choose("cross", *known)
    first = (key == OWN and _in_focus(sizes)) or best
    chosen = None if asked == MEAN else known or first

    st.markdown(_("Cross-attention of {name}").format(name=escaped(name)))
    layer, head = chosen or (None, None)
    picked = ("cross", layer, head)
    head_picker({"cross": sizes[0]}, sizes[1], picked, choose, f"{key} picker", mean=True)
    link.put({key: "" if chosen == first else MEAN if chosen is None else _write(chosen)})
    return chosen


def _in_focus(sizes: Head) -> Head | None:
    """Return the head of cross-attention that was chosen on any page, if the model has it."""
    now = focus.current()
    if now.kind != "cross" or now.layer is None or now.head is None:
        return None
    return (now.layer, now.head) if now.layer < sizes[0] and now.head < sizes[1] else None


def _read(text: str, sizes: Head) -> Head | None:
    """Read "5.6" as a place from 0; None is none that the model has."""
    found = re.fullmatch(r"(\d{1,3})\.(\d{1,3})", text, re.ASCII)
    if not found:
        return None
    layer, head = int(found[1]) - 1, int(found[2]) - 1
    return (layer, head) if 0 <= layer < sizes[0] and 0 <= head < sizes[1] else None


def _write(head: Head) -> str:
    return f"{head[0] + 1}.{head[1] + 1}"
