"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="linear_scale",
    name=later("One head"),
    promise=later("Take one head to pieces, from the vectors that go in to those that come out."),
    lead=later("Follow one query from left to right: every strip is a vector of the model."),
    takes_recurrent=True,
    mixes=True,
    controls="one_head, cells, scaled, rescaled, temperature",
    visits=(
        Visit(".st-key-head_chain"),
        Visit(".js-plotly-plot", view="one_head=all queries, exactly", figures=1),
    ),
)
