"""Positions: the sinusoids, and their uses."""

from viz.language.text import later
from viz.pages.positions.encoding_panels import show_curves, show_heatmap
from viz.pages.positions.use_panels import show_combination, show_products, show_shift
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

VIEWS = {
    later("curves"): show_curves,
    later("table"): show_heatmap,
    later("dot products"): show_products,
    later("shift by k"): show_shift,
    later("added or joined"): show_combination,
}

opened = open_page()
view = choose_view(list(VIEWS), "positions")
with telling():
    fragment(VIEWS[view])(opened)  # a slider redraws its own view only
