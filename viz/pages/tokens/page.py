"""Words to vectors: the pieces of the sentence, other cuts, and the vectors of pieces."""

from viz.language.text import later
from viz.pages.tokens.cutting_panels import show_cuts, show_pieces
from viz.pages.tokens.learning_panel import show_learning, show_limit
from viz.pages.tokens.vector_panels import show_embedding, show_map, show_neighbours
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

VIEWS = {
    later("pieces"): show_pieces,
    later("embedding"): show_embedding,
    later("map"): show_map,
    later("neighbours"): show_neighbours,
    later("other cuts"): show_cuts,
    later("learning pieces"): fragment(show_learning),
    later("a limit of length"): fragment(show_limit),
}

opened = open_page()
view = choose_view(list(VIEWS), "tokens")
if view == "pieces":
    show_pieces(opened)  # this view shows only the sentence, so it gives no answer away
else:
    with telling():
        VIEWS[view](opened)
