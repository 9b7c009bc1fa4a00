"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="conversion_path",
    name=later("Trace"),
    promise=later("Carry one vector from one sentence into the other, and see which ones matter."),
    lead=later(
        "Take one vector from the other sentence and keep the rest: where that turns the "
        "answer, the information was there."
    ),
    heading=later("Break it: trace"),
    changes=True,
    controls="traced, second, direction, carried",
    visits=(Visit(".st-key-trace-map"),),
)
