"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="layers_clear",
    name=later("Blocks"),
    promise=later("Leave out more than a head: a sublayer, a norm, a whole layer."),
    lead=later(
        "Every sublayer is LayerNorm(x + Sublayer(x)). Leave out any part of it, or a whole layer."
    ),
    heading=later("Break it: blocks"),
    changes=True,
    measures=True,
    controls="blocks",
    visits=(Visit(".st-key-block-board"),),
)
