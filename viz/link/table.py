"""Every query parameter of the app: how it is read and written, its default and its reach.

A name outside this table is in no link: `address.put` refuses it, and a test finds the key of every
control that is bound to the link among its names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from model.sites.sites import KINDS
from viz.compute import models
from viz.figures.letters import STAGE
from viz.language import text
from viz.link.branches import MAX_BRANCHES, read_branches, write_branches
from viz.link.forms import HEAD_OR_MEAN, PLACE, PLACE_OR_MEAN, TEXT, Form, one_of, real, whole

Reach = Literal["all pages", "this model", "this sentence", "this page"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the link; if it is missing or makes no sense, it is `default`.

    One that reaches all pages is part of every link to another page. One that names something of
    this model or of this sentence (of its pieces) means nothing for another one. One of a single
    page, or with another meaning on another page, names it as its `page`. The browser's Back takes
    back each change of an `undone` one.
    """

    name: str
    reach: Reach
    form: Form[Any] = TEXT
    default: Any = None
    page: str = ""
    undone: bool = False

    def sense(self, text: str) -> Any:  # noqa: ANN401
        """Read a text; None where it makes no sense."""
        try:
            return self.form.read(text)
        except ValueError:
            return None

    def said(self, value: object) -> str:
        """Write a value; "" where the link may omit it."""
        return "" if value == self.default else self.form.write(value)


CLASSROOM = ("class", "lead")
"""The code of a class, and the key by which its teacher leads it."""

COVER = "cover"
"""The setting of a teacher to cover the parts that a class must predict first."""

OWN = (text.CHOSEN, STAGE)
"""The personal choices of everyone in a class."""

_ON_ALL_PAGES: tuple[Parameter, ...] = (
    Parameter("sentence", "all pages"),  # as in the box; at first the model's first example
    Parameter("edits", "all pages", default="", undone=True),  # see viz/link/edits.py
    Parameter(models.CHOSEN, "all pages"),  # the first model of all
    Parameter(text.CHOSEN, "all pages"),  # the browser's language
    Parameter(STAGE, "all pages", default=""),  # the mode for a class, which the browser keeps
    *(
        Parameter(name, "all pages", default="") for name in (*CLASSROOM, COVER)
    ),  # viz/shell/classroom
    Parameter("kind", "this model", one_of(KINDS)),
    Parameter("layer", "this model", PLACE),
    Parameter("head", "this model", PLACE),
    Parameter("word", "this sentence", PLACE),
    Parameter("step", "this sentence", PLACE, undone=True),
    Parameter("query", "this sentence", PLACE),  # one or the other, by the kind
    Parameter("lesson", "this page", default=""),
    Parameter("scene", "this page", default="1"),
    Parameter("shown", "this page", default=""),  # the story's sentence, if it is the second
    Parameter("changed", "this page", default=""),  # what the story changes in the model
)

STRATEGIES = ("greedy", "beam", "sampling")
DECODER = "decoder"
_DECODER_ROWS: tuple[tuple[str, Reach, Form[Any], Any], ...] = (
    ("strategy", "this page", one_of(STRATEGIES), "greedy"),
    ("width", "this page", whole(1, 8), 4),
    ("penalty", "this page", real(0, 2), 0.6),
    ("temperature", "this page", real(0.05, 5), 1.0),
    ("top_k", "this page", whole(0, 999_999), 0),
    ("top_p", "this page", real(0.01, 1), 1.0),
    ("seed", "this page", whole(0, 999_999), 1),
    ("attention_layer", "this model", PLACE_OR_MEAN, None),
    ("attention_head", "this model", PLACE_OR_MEAN, None),
    ("branches", "this sentence", Form(read_branches, write_branches), ()),
    ("branch", "this sentence", whole(0, MAX_BRANCHES + 1), 0),
    ("given", "this sentence", Form(lambda given: given[:2000]), ""),
    ("node", "this sentence", whole(0, 99_999), None),
)
OF_THE_DECODER = tuple(
    Parameter(name, reach, form, default, DECODER) for name, reach, form, default in _DECODER_ROWS
)
"""The parameters that the step decoder writes in the browser."""

# The explorer writes these in the browser, where it also runs in a file without a server.
EXPLORER = ("heads", "view", "lock", "aids", "order", "beside")
_OF_THE_EXPLORER = tuple(
    Parameter(name, "this page", TEXT, "", "attention") for name in (*EXPLORER, "second")
)

_KEYS = tuple(
    Parameter("key", "this sentence", PLACE, page=page) for page in ("why", "atlas", "positions")
)
_OF_TWO_MODELS = tuple(
    Parameter(name, "this model", HEAD_OR_MEAN, None, "two_models") for name in ("head_1", "head_2")
)

# Controls, which know their options, range and default; the link holds the choice.
_CONTROLS: Mapping[str, str] = {
    "tokens": "tokens, rare, ways, cut, near, around, pieces_of, taught, rarest, size, slots",
    "positions": (
        "positions, base, length, width, layout, dimensions, both, p, k, rotary_head, pair"
    ),
    "head": "one_head, scaled, rescaled, temperature",
    "by_hand": "by hand, score_1, score_2, width, value_1, value_2, masked_1, masked_2, d_k, d",
    "why": "why, ablate",
    "block": "block view, stack, drawn by, deep",
    "layers": "layers, block, stack, depth, kernel, weights of",
    "decoder": "writing",
    "recurrent": (
        "ancestors, models, aligned, kept, score, lookup, part, measure, texts, fixed, power, "
        "centre, window, sigma, minus, swap, draw, words, timed"
    ),
    "learning": (
        "learning, drawn by, drawn, apart, reference, ratio, draw, paper_width, warmup, dropped, "
        "drop, row, eps, diagonal, "
        "take, eta, step_by, start, pace, steep, decay, paces, corrected, weight"
    ),
    "atlas": "atlas, arranged, against, compared, evidence, alike, map, coloured, grouped",
    "about": "about",
    "lab_masks": "masks",
    "lab_blocks": "blocks",
    "lab_scale": "break",
    "lab_pairs": "second",
    "trace": "second, traced, direction, carried",
    "two_models": "beside, aligned",
}
_OF_CONTROLS: tuple[Parameter, ...] = tuple(
    Parameter(name, "this page", page=page)
    for page, names in _CONTROLS.items()
    for name in names.split(", ")
)

TABLE: tuple[Parameter, ...] = (
    *_ON_ALL_PAGES,
    *_OF_THE_EXPLORER,
    *OF_THE_DECODER,
    *_KEYS,
    *_OF_TWO_MODELS,
    *_OF_CONTROLS,
)
NAMES = frozenset(one.name for one in TABLE)


def parameter(name: str, page: str = "") -> Parameter:
    """Return a parameter of a page, else the one of all pages; KeyError when there is none."""
    found = {one.page: one for one in TABLE if one.name == name}
    return found[page] if page in found else found[""]


ALONG = tuple(one.name for one in TABLE if one.reach == "all pages")
"""The parameters of every link to another page."""

UNDONE = tuple(one.name for one in TABLE if one.undone)
