"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="compare_arrows",
    name=later("Two sentences"),
    promise=later("Change one word instead of the model, and see which heads notice."),
    lead=later(
        "Two sentences that differ in one word. Where do the translations part, and who noticed?"
    ),
    heading=later("Break it: two sentences"),
    takes_recurrent=True,
    controls="second",
    visits=(Visit(".st-key-pair-cards"),),
)
