"""The words of the site's script, and what it knows of links."""

from model.interventions.heads import MODE_WORDS
from model.interventions.table import INTERVENTIONS
from viz.figures.labels import kind_names
from viz.language.text import _
from viz.link.table import TABLE

SAID_OF_A_VIEW = ("kind", "layer", "head", "heads", "lock", "beside")
"""What names heads that another sentence may have no use for: it opens at its own."""


def page_words() -> dict[str, object]:
    """Return the words of the page's script."""
    return {
        "missing": _("A file of this site is missing: {file}"),
        "damaged": _("The model of this site is damaged. {said}"),
        "unsupported": _("This browser is too old to run the model."),
        "unserved": _(
            "A page opened from a disk cannot fetch its model: put the folder on a web server, or "
            "write it with --offline."
        ),
        "coming": _("The model is coming: {here} of {all} MB"),
        "unkept": _("This browser keeps nothing here: the next visit fetches the model again."),
        "cut": _("Too long for one pass: only the first {count} pieces are shown."),
        "empty": _("Nothing to translate yet: type a sentence into the box above."),
        "unknownPieces": _("This link asks for pieces that this model does not have."),
        "unforced": _("{typed} cannot be forced: no piece is like that."),
        "refused": _("Not understood in the link, and left out: {pieces}"),
        "leftOut": _("Left out, as it does not fit this model or sentence: {interventions}"),
        **_changes(),
    }


def _changes() -> dict[str, object]:
    """Return the words for changes in the model."""
    return {
        "changed": _("The model is changed"),
        "undo": _("Undo this change"),
        "reset": _("Reset all"),
        "kinds": dict(kind_names()),
        "modes": {mode: _(words.text) for mode, words in MODE_WORDS.items()},
        "off": _("{place}: off ({mode})"),
        "looks": _("{place}: {query} looks at {keys}"),
        "step": _("step {number}"),
        "all": _("{kind}, all heads"),
    }


def of_sentence() -> list[str]:
    """Name the parameters of a link that mean nothing for another sentence."""
    return [one.name for one in TABLE if one.reach == "this sentence"] + [*SAID_OF_A_VIEW]


def tied() -> list[str]:
    """Name the changes in a link that name pieces of its sentence."""
    return [name for one in INTERVENTIONS if one.names_pieces for name in one.names]
