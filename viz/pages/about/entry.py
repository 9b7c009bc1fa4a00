"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="info",
    name=later("About the model"),
    promise=later("How good is this model, and what was it trained on?"),
    lead=later(
        "Numbers on these pages come from the model that is chosen, unless another is named. "
        "This is its card."
    ),
    shows="no sentence",
    takes_recurrent=True,
    controls="about",
    visits=(Visit(".st-key-whole-model", dark=True),),
)
