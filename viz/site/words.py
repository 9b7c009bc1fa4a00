"""The words of the site's script, and what it knows of links."""

from model.home import HOME
from model.interventions.table import INTERVENTIONS
from viz.figures.labels import kind_names, sublayer_names
from viz.language.text import _
from viz.language.update import said_by_code
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
        "share": _("Share"),
        "copy": _("Copy the link of this view"),
        "copied": _("Link copied"),
        "refusedLink": _("Copy this link:"),
        "embed": _("Embed"),
        "frame": _("Copy an <iframe> of this view, for a page of your own"),
        "framed": _("Frame copied"),
        "refusedFrame": _("Copy this frame:"),
    }


def _changes() -> dict[str, object]:
    """Return the words for changes in the model."""
    return {
        "changed": _("The model is changed"),
        "undo": _("Undo this change"),
        "reset": _("Reset all"),
        "kinds": dict(kind_names()),
        "sublayers": dict(sublayer_names()),
        "changes": {text: _(text) for text in _described()},
    }


def _described() -> list[str]:
    """List the texts with which the model describes its interventions."""
    folder = HOME / "model" / "interventions"
    sources = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    said = (text for source in sources for text in said_by_code(source) if isinstance(text, str))
    return list(dict.fromkeys(said))


def of_sentence() -> list[str]:
    """Name the parameters of a link that mean nothing for another sentence."""
    return [one.name for one in TABLE if one.reach == "this sentence"] + [*SAID_OF_A_VIEW]


def tied() -> list[str]:
    """Name the changes in a link that name pieces of its sentence."""
    return [name for one in INTERVENTIONS if one.names_pieces for name in one.names]
