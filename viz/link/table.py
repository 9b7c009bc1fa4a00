"""Every query parameter of the app: how it is read and written, its default and its reach.

The parameters of a single page are in the page's entry. A name outside this table is in no link:
`address.put` refuses it, and a test looks up here every control that is bound to the link.
"""

from dataclasses import replace

from model.sites.sites import KINDS
from viz.compute import models
from viz.course.pages import COURSE
from viz.figures.letters import STAGE
from viz.language import text
from viz.link.forms import PLACE, one_of
from viz.link.parameter import Parameter

CLASSROOM = ("class", "lead")
"""The code of a class, and the key by which its teacher leads it."""

COVER = "cover"
"""A teacher's setting, which covers the parts that a class must predict first."""

ON = "1"
"""The value of the link's parameter for the stage; any other value leaves it off."""

OWN = (text.CHOSEN, STAGE)
"""The personal choices of everyone in a class."""

_ON_ALL_PAGES: tuple[Parameter, ...] = (
    Parameter("sentence", "all pages"),  # the text of the box; at first the model's first example
    Parameter("edits", "all pages", default="", undone=True),  # see viz/link/edits.py
    Parameter(models.CHOSEN, "all pages"),  # by default, the first model
    Parameter(text.CHOSEN, "all pages"),  # by default, the browser's language
    Parameter(STAGE, "all pages", default=""),  # the mode for a class, which the browser keeps
    *(
        Parameter(name, "all pages", default="") for name in (*CLASSROOM, COVER)
    ),  # viz/shell/class_screen
    Parameter("kind", "this model", one_of(KINDS)),
    Parameter("layer", "this model", PLACE),
    Parameter("head", "this model", PLACE),
    Parameter("word", "this sentence", PLACE),
    Parameter("step", "this sentence", PLACE, undone=True),
    Parameter("query", "this sentence", PLACE),  # `word` or `step`, by the kind
    Parameter("lesson", "this page", default=""),
    Parameter("scene", "this page", default="1"),
)

# Controls know their options, range and default; the link holds the choice.
_OF_PAGES = tuple(
    replace(one, page=entry.link)
    for entry in COURSE
    for one in (
        *entry.parameters,
        *(Parameter(key, "this page") for key in entry.controls.split(", ") if key),
    )
)

TABLE: tuple[Parameter, ...] = (*_ON_ALL_PAGES, *_OF_PAGES)
NAMES = frozenset(one.name for one in TABLE)


def parameter(name: str, page: str = "") -> Parameter:
    """Return a parameter of a page, or else of all pages; KeyError when there is none."""
    by_page = {candidate.page: candidate for candidate in TABLE if candidate.name == name}
    return by_page[page] if page in by_page else by_page[""]


ALONG = tuple(one.name for one in TABLE if one.reach == "all pages")
"""The parameters of every link to another page."""

UNDONE = tuple(one.name for one in TABLE if one.undone)
