"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="hub",
    name=later("Attention"),
    promise=later("See every layer, head and word of a sentence of your own."),
    lead=later(
        "Each **query** looks at its **keys**: the stronger a line or a cell, the larger its "
        "weight."
    ),
    takes_recurrent=True,
    controls="second",
    parameters=tuple(
        Parameter(name, "this page", default="")
        for name in ("heads", "view", "lock", "aids", "order", "beside")
    ),
    visits=(
        Visit("[class*='st-key-explorer'] .explorer .view:not([hidden])", dark=True),
        Visit("[class*='st-key-explorer'] .explorer .view:not([hidden])", view="view=matrix"),
        Visit("[class*='st-key-explorer'] .explorer .view:not([hidden])", view="view=compare"),
    ),
)
