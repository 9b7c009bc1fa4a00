"""One head: its chain for one query, its weights for all queries, and how it is stored.

The chain opens on a head and a query that mix several keys, so that there is something to add up.
"""

from viz.compute import openings
from viz.language.text import later
from viz.pages.head.chain_view import show_chain
from viz.pages.head.panels import slices
from viz.pages.head.reading import read
from viz.pages.head.weights_view import show_weights
from viz.shell import state
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page

CHAIN, WEIGHTS, SLICES = (
    later("step by step"),
    later("all queries, exactly"),
    later("slices or projections"),
)

run = open_page()
made_by = run.recording.made_by
if made_by.kind != "transformer" or made_by.scores != "dot":
    shown = WEIGHTS  # the chain is that of a dot product; a recurrent model has no heads
else:
    shown = choose_view((CHAIN, WEIGHTS, SLICES), "one_head")
with telling():
    if shown == WEIGHTS:
        show_weights(run)
    else:
        mixing = next(iter(openings.mixing(state.sentence())), None)
        first = mixing.place if mixing else None
        view = state.attention_controls(run.recording, first)
        if shown == CHAIN:
            show_chain(run, view, mixing.query if mixing and view == first else None)
        else:
            slices(*read(run.recording, view))
