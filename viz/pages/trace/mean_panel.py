"""The mean map of many pairs, to compare with this sentence's map."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.measures.mean_trace import MeanTrace
from model.sites.sites import Kind
from viz.compute import traces
from viz.figures.labels import kind_names
from viz.language.text import _, later
from viz.pages.trace.trace_map import Map, Maps, trace_map
from viz.shell import state
from viz.shell.folded import opened

ROLES = (
    later("the noun that “it” stands for"),
    later("the other noun"),
    later("“it”"),
    later("the adjective"),
    later("any other word"),
)
ROWS = (later("the step that decides"), later("any earlier step"))


def show_mean() -> None:
    """Draw the mean map, in a closed box, if it was measured with these weights."""
    means = traces.mean()
    if means is None:
        return
    box = opened(title(), "mean")
    if box is None:
        return
    with box:
        st.markdown(told(means))
        trace_map(mean_maps(means), "mean map", state.current_theme())


def title() -> str:
    """Return the title of the box."""
    return _("Is it the rule? The same over many held-out pairs")


def told(means: MeanTrace) -> str:
    """Say of which pairs a map is the mean, and what its rows are."""
    return _(
        "The mean of {traced} of {pairs} pairs that training never saw, those in which the "
        "model is right in both sentences. A row is the piece of that role that moves the "
        "answer most: compare it with the map above."
    ).format(traced=means.traced, pairs=means.pairs)


def mean_maps(means: MeanTrace) -> Maps:
    """Return the maps of both stacks, with a row for each role."""
    columns = [(str(n), _("after layer {number}").format(number=n)) for n in range(99)]
    stacks: dict[Kind, tuple[tuple[str, ...], NDArray[np.float64]]] = {
        "encoder": (ROLES, means.encoder),
        "decoder": (ROWS, means.decoder),
    }
    maps = [
        Map(
            kind,
            kind_names()[kind],
            [_(name) for name in names],
            _("after layer"),
            columns[: values.shape[1]],
            values,
            frozenset(),
            ["" if np.isfinite(row).any() else _("not known") for row in values],
        )
        for kind, (names, values) in stacks.items()
    ]
    return Maps(maps, (_("as in this sentence"), _("as in the other")))
