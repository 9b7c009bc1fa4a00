"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="grid_on",
    name=later("Heads"),
    promise=later("Switch heads off: how many can the model lose?"),
    lead=later(
        "Switch heads off and watch the translation. Click a head, a layer or a whole kind."
    ),
    heading=later("Break it: heads"),
    changes=True,
    measures=True,
    visits=(Visit(".st-key-head-board", beside=".boards .board", dark=True),),
)
