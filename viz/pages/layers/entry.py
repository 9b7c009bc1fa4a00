"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="layers",
    name=later("Through the layers"),
    promise=later("The same block again and again: follow one token through all the layers."),
    lead=later("See what flows out of every block, and follow one token from layer to layer."),
    takes_recurrent=True,
    controls="layers, block, stack, depth, kernel, weights of",
    warmed=("layers=one token",),
    visits=(
        Visit(".st-key-architecture", in_view=("svg.blocks",)),
        Visit(".js-plotly-plot", view="layers=one token&stack=decoder", figures=3),
    ),
)
