"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.forms import PLACE
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="manage_search",
    name=later("Why it looks there"),
    promise=later("A score is a sum: see which of its parts make a head look where it looks."),
    lead=later(
        "Scores and logits are exact sums: of the embedding, the position, and all that was added."
    ),
    controls="why, ablate",
    parameters=(Parameter("key", "this sentence", PLACE),),
    visits=(
        Visit(".st-key-ribbons .ribbons", figures=1, in_view=(".st-key-ribbons",)),
        Visit(view="why=who wrote this word"),
    ),
)
