"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="view_agenda",
    name=later("One block"),
    promise=later(
        "Attention is one sublayer: what do add & norm and feed-forward do to its output?"
    ),
    lead=later("Attention is one part of a layer. These are the others, down to the last number."),
    controls="block view, stack, drawn by, deep",
    visits=(Visit(".st-key-steps .addnorm", figures=2, in_view=(".addnorm",)),),
)
