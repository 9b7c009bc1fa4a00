"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.forms import whole
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="school",
    name=later("How it learned"),
    promise=later("Nobody wrote these weights: see how the model learned them."),
    lead=later(
        "A finished model was once random numbers. This is what changed them, step by step."
    ),
    controls=(
        "learning, drawn by, drawn, apart, reference, ratio, draw, paper_width, warmup, "
        "dropped, drop, row, eps, diagonal, take, eta, step_by, start, pace, steep, decay, "
        "paces, corrected, weight"
    ),
    parameters=(Parameter("moment", "this page", whole(0, 10**9 - 1)),),  # a step of the training
    visits=(
        Visit(
            ".st-key-timeline",
            in_view=(
                ".st-key-page-top h2",
                ".timeline canvas.head",
                ".timeline canvas.curve",
                ".timeline .lines",
            ),
        ),
        Visit(view="learning=one example"),
        Visit(view="learning=steps"),
    ),
)
