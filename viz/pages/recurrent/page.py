"""Before Transformers: recurrent translators, without and with attention."""

from functools import partial

from viz.compute import ancestors, models
from viz.language.text import _, later
from viz.pages.recurrent.choosing_panel import choosing
from viz.pages.recurrent.compare_panel import choose_models, compare
from viz.pages.recurrent.lengths_panel import bottleneck
from viz.pages.recurrent.local_panel import local
from viz.pages.recurrent.lookup_panel import lookup
from viz.pages.recurrent.memory_panel import memory
from viz.pages.recurrent.step_panel import step
from viz.pages.recurrent.waiting_panel import waiting
from viz.shell.chooser import offer_page_with
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page

FIRST = later("all models")
VIEWS = {
    later("one step"): step,
    later("the bottleneck"): bottleneck,
    later("soft or hard"): choosing,
    later("global or local"): local,
    later("lookup"): lookup,
    later("why it was replaced"): waiting,
    later("what is kept"): memory,
}


def show_page() -> None:
    """Draw the page about the recurrent models beside a Transformer."""
    run = open_page()
    if not ancestors.shipped():
        why = _("No recurrent model stands beside this checkpoint: this page needs one.")
        offer_page_with(why, models.default())
        return
    view = choose_view([FIRST, *VIEWS], "ancestors")
    draw = partial(compare, everything=choose_models()) if view == FIRST else VIEWS[view]
    with telling():
        draw(run)


# The page shows all these models, even if a recurrent model is chosen.
with models.using(ancestors.transformer()):
    show_page()
