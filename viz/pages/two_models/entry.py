"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.forms import HEAD_OR_MEAN
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="splitscreen",
    name=later("Two models"),
    promise=later("Change the whole model: the same sentence through two of them."),
    lead=later("The same sentence through two models: what each writes, and where it looked."),
    takes_recurrent=True,
    controls="beside, aligned",
    parameters=(
        Parameter("head_1", "this model", HEAD_OR_MEAN),
        Parameter("head_2", "this model", HEAD_OR_MEAN),
    ),
    visits=(Visit(".st-key-two-models", beside=".alignments table"),),
)
