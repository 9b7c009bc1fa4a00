"""One of two models on a sentence, and the picture of where it looked."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recording.sites import heads_of, layers_of
from viz.compute import ancestors, examples, models, runs
from viz.compute.runs import Run
from viz.shared.alignments import Panel
from viz.shared.text import _
from viz.shared.wording import escaped
from viz.shell import state
from viz.shell.chooser import no_attention, why_not
from viz.shell.heavy import shown

MEAN = "mean"


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
        names = [
            f"{layer + 1}.{head + 1}"
            for layer in range(layers_of("cross", config))
            for head in range(heads_of(config))
        ]
        best = ancestors.best_aligned()
    tokens = recording.target_tokens, recording.source_tokens
    text = side.run.translation.text
    if not names:
        return Panel(side.name, text, *tokens, None, no_attention())
    measured = f"{best[0] + 1}.{best[1] + 1}" if best else ""
    chosen = _choose_head(place, side.name, names, measured, key)
    weights = recording.attention("cross")
    if chosen == MEAN:
        return Panel(side.name, text, *tokens, weights.mean(axis=(0, 1), dtype=np.float32))
    layer, head = (int(number) - 1 for number in chosen.split("."))
    note = _("Its best aligned head, as measured.") if chosen == measured else ""
    title = _("{name}, cross {head}").format(name=side.name, head=chosen)
    return Panel(title, text, *tokens, weights[layer, head], note)


def _choose_head(
    place: DeltaGenerator, name: str, heads: list[str], measured: str, key: str
) -> str:
    """Draw the choice among a model's heads: at first the one that was measured, or their mean."""
    if len(heads) == 1:
        return heads[0]
    options = [MEAN, *heads]
    first = measured if measured in heads else MEAN
    if st.session_state.get(key, first) not in options:
        del st.session_state[key]
    chosen = place.selectbox(
        _("Cross-attention of {name}").format(name=escaped(name)),
        options,
        index=options.index(first),
        key=key,
        bind=state.LINK,
        width=320,
    )
    return str(chosen)
