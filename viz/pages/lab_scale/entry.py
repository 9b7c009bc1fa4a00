"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="straighten",
    name=later("Scale and positions"),
    promise=later("Take away the division by √dₖ, or the order of the words."),
    lead=later("Take away the division by √dₖ, or the order of the words, and watch what is left."),
    heading=later("Break it: scale and positions"),
    changes=True,
    controls="break",
    visits=(Visit(".st-key-two-pictures"),),
)
