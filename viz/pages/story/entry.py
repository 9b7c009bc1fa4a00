"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="auto_stories",
    name=later("The story"),
    promise=later("That was the whole course. It began with one word that changes another."),
    shows="its own sentences",
    takes_recurrent=True,
    controls="shown, changed, turned, first, second",
    visits=(Visit(".st-key-story", dark=True, in_view=(".story .reading",)),),
)
