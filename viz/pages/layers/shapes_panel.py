"""The shapes of all sites that were recorded in one pass."""

import math

import streamlit as st

from model.recording.recording import Recording
from model.results import Run
from viz.figures.table import show_table
from viz.language.text import _
from viz.shell.finding import say


def show_shapes(run: Run) -> None:
    """List every site with its dims, its shape for this sentence, and its meaning."""
    sites = run.recording.sites()
    largest = max(sites, key=lambda site: math.prod(site.shape))
    say(
        _("What passes through? **{count} arrays**; the largest is `{site}`, {shape}.").format(
            count=len(sites), site=largest.name, shape=" × ".join(map(str, largest.shape))
        )
    )
    st.caption(_dims(run.recording))
    show_table(
        {
            _("site"): [site.name for site in sites],
            _("dims"): [" ".join(site.dims) for site in sites],
            _("shape"): [" × ".join(map(str, site.shape)) for site in sites],
            _("what it is"): [_(site.meaning) for site in sites],
        },
        height=620,
    )


def _dims(recording: Recording) -> str:
    """Explain the letters of the dims."""
    if recording.made_by.kind != "transformer":
        return _(
            "**S** source pieces, **T** target pieces, **D** width of the embedding, **R** width "
            "of a state, **H** heads (one), **V** vocabulary"
        )
    return _(
        "**S** source pieces, **T** target pieces, **D** width of the model, **H** heads, "
        "**Dk** width of one head, **F** width of the feed-forward layer, **V** vocabulary"
    )
