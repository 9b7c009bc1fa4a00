"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.forms import PLACE
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="waves",
    name=later("Order"),
    promise=later("A set of vectors has no order: how does the model know what comes first?"),
    lead=later(
        "The encoder's attention sees a set of pieces; sines and cosines added to them "
        "tell it their order."
    ),
    controls=("positions, base, length, width, layout, dimensions, both, p, k, rotary_head, pair"),
    parameters=(Parameter("key", "this sentence", PLACE),),
    warmed=("positions=table",),
    visits=(
        Visit(".st-key-clocks .clocks", dark=True),
        Visit(".js-plotly-plot", view="positions=table", figures=1),
    ),
)
