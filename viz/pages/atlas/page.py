"""Atlas: the roles of all heads over a corpus, the evidence, and similar places."""

from model.results import Run
from viz.compute import atlas
from viz.language.text import later
from viz.pages.atlas import board_view, many_view, map_view, where_view
from viz.pages.atlas.own import measured_texts, offer_to_measure, say_corpus
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page

BOARD, WHERE, MAP, MANY = (
    later("What all heads do"),
    later("Where else?"),
    later("Queries and keys"),
    later("Many sentences"),
)


def show_page(run: Run) -> None:
    """Draw the page, in a function because callbacks would keep all names of a module alive."""
    texts = measured_texts()
    view = choose_view([BOARD, WHERE, MAP, MANY], "atlas")
    if view == MANY:
        with telling():
            many_view.show(run)
        return
    if atlas.find(texts) is None:
        offer_to_measure()
        return
    with telling():
        if view == WHERE:
            where_view.show(run, texts)
        elif view == MAP:
            map_view.show(run, texts)
        else:
            board_view.show(run, texts)
    say_corpus(texts)


show_page(open_page())
