"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.branches import MAX_BRANCHES, read_branches, write_branches
from viz.link.forms import PLACE_OR_MEAN, Form, one_of, real, whole
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="step_into",
    name=later("Writing {target}"),
    promise=later("Watch the decoder write the translation, one piece at a time."),
    lead=later(
        "Step through the decoder: where it looks, what could come next, and what it takes."
    ),
    untold=later("Writing the translation"),
    takes_recurrent=True,
    controls="writing",
    parameters=(
        Parameter("strategy", "this page", one_of(("greedy", "beam", "sampling")), "greedy"),
        Parameter("width", "this page", whole(1, 8), 4),
        Parameter("penalty", "this page", real(0, 2), 0.6),
        Parameter("temperature", "this page", real(0.05, 5), 1.0),
        Parameter("top_k", "this page", whole(0, 999_999), 0),
        Parameter("top_p", "this page", real(0.01, 1), 1.0),
        Parameter("seed", "this page", whole(0, 999_999), 1),
        Parameter("attention_layer", "this model", PLACE_OR_MEAN, None),
        Parameter("attention_head", "this model", PLACE_OR_MEAN, None),
        Parameter("branches", "this sentence", Form(read_branches, write_branches), ()),
        Parameter("branch", "this sentence", whole(0, MAX_BRANCHES + 1), 0),
        Parameter("given", "this sentence", Form(lambda given: given[:2000]), ""),
        Parameter("node", "this sentence", whole(0, 99_999), None),
    ),
    visits=(
        Visit(
            "[class*='st-key-step-decoder'] .decoder .stage",
            in_view=(
                ".decoder .found",
                ".decoder .source",
                ".decoder .target",
                ".decoder .mask-legend",
                ".decoder .target .mask",
            ),
        ),
    ),
)
