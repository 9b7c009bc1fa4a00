"""The names, rules and colours of the roles of heads on the page."""

from model.measures.atlas.roles import Role
from viz.language.text import _, later

NAMES: dict[Role, str] = {
    "previous": later("the piece before"),
    "next": later("the piece after"),
    "same": later("its own place"),
    "first": later("the first piece"),
    "end": later("the end token"),
    "punctuation": later("punctuation"),
    "aligned_given": later("the word just read, in the source"),
    "aligned_predicted": later("the word it writes next, in the source"),
    "antecedent": later("the noun of “it”"),
    "subject": later("the subject of the verb"),
    "noun": later("the noun of the adjective"),
    "ne": later("the “ne” of “pas”"),
}
"""What a head with each role looks at, as texts for `later`."""

RULES: dict[Role, str] = {
    "previous": later("weight on the piece just before the query"),
    "next": later("weight on the piece just after the query"),
    "same": later("weight on the query's own place"),
    "first": later("weight on the first key"),
    "end": later("weight on the end token"),
    "punctuation": later("weight on punctuation marks"),
    "aligned_given": later("weight on the source pieces of the word that was just read"),
    "aligned_predicted": later("weight on the source pieces of the word that is written next"),
    "antecedent": later("weight from “it”, or from where il or elle is written, to its noun"),
    "subject": later("weight from a verb behind an auxiliary (*Tom doesn't know*) to its subject"),
    "noun": later("weight from an adjective behind a verb (*it was too wide*) to its noun"),
    "ne": later("weight from where “pas” is written to “ne” or “n'”"),
}
"""The attention that counts for each role, as texts for `later`."""

COLOURS: dict[Role, str] = {
    "previous": "#0072B2",
    "next": "#56B4E9",
    "same": "#3B528B",
    "first": "#B8A800",
    "end": "#8C6D31",
    "punctuation": "#E69F00",
    "aligned_given": "#F4A6C8",
    "aligned_predicted": "#CC79A7",
    "antecedent": "#D55E00",
    "subject": "#009E73",
    "noun": "#66C2A5",
    "ne": "#9467BD",
}

QUIET: frozenset[Role] = frozenset(("first", "end"))
"""The roles of heads that rest on a fixed piece, whatever the sentence says."""

SINK_BELOW = 0.2
"""Below this share of what its longest values would give, a head that rests takes next to nothing.

In both shipped models the heads of the decoder's first layer, which look at the begin token, take
0.03 to 0.09, and the median head takes 0.22 to 0.69.
"""

SINK = "#B9BEC6"
"""The colour of a head that rests on a fixed piece and takes next to nothing there."""

NOTHING = "#8A8F98"
"""The colour of a head without any of the roles."""


def sink() -> str:
    """Return the name of the heads that rest on a fixed piece and take next to nothing there."""
    return _("a sink")


def nothing() -> str:
    """Return the name of the heads without any of the roles."""
    return _("none of these")
