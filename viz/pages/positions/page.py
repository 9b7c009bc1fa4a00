"""Positions: the sinusoids and their uses; with the twins, also other kinds of positions."""

from collections.abc import Callable

from model.results import Run
from viz.compute import positions
from viz.language.text import later
from viz.pages.positions.encoding_panels import show_curves, show_heatmap
from viz.pages.positions.twin_panels import show_learned, show_longer, show_rotary
from viz.pages.positions.use_panels import show_combination, show_products, show_shift
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

VIEWS: dict[str, Callable[[Run], None]] = {
    later("curves"): show_curves,
    later("table"): show_heatmap,
    later("dot products"): show_products,
    later("shift by k"): show_shift,
    later("added or joined"): show_combination,
}

TWINS = {
    later("learned"): show_learned,
    later("rotary"): show_rotary,
    later("longer texts"): show_longer,
}

opened = open_page()
views = VIEWS | (TWINS if positions.twins() else {})
view = choose_view(list(views), "positions")
with telling():
    fragment(views[view])(opened)  # a slider redraws only its view
