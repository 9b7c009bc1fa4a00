"""The words of the site's script, and what it knows of links."""

from model.home import HOME
from model.interventions.table import INTERVENTIONS
from viz.effect.near import RARE, TIE
from viz.figures.labels import kind_names, sublayer_names
from viz.language.text import _, _n
from viz.language.update import said_by_code
from viz.link.table import TABLE
from viz.pages.head import formulas
from viz.pages.trace.explanation import nothing
from viz.pages.trace.finding import TEXTS

SAID_OF_A_VIEW = ("kind", "layer", "head", "heads", "lock", "beside")
"""The parameters that name heads; another sentence opens at a head of its own."""


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
        "unkeptPages": _("This browser keeps no pages here: they open only with a network."),
        "strangeModel": _("There is no model called {asked} here; this is {name}."),
        "cut": _("Too long for one pass: only the first {count} pieces are shown."),
        "empty": _("Nothing to translate yet: type a sentence into the box above."),
        "unknownPieces": _("This link asks for pieces that this model does not have."),
        "untraced": nothing(),
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
        "changes": _texts_of("model/interventions"),
    }


def outcome_words() -> dict[str, object]:
    """Return the texts of an outcome by their English, with both forms where a number decides."""
    sources = ("viz/effect/outcome", "viz/effect/effect.py", "viz/language/wording.py")
    texts = {text: said for source in sources for text, said in _texts_of(source).items()}
    return {
        **texts,
        "pressed": _("If you press “{name}”: {done}"),
        "pressed part": _("If you press “{name}” ({part}): {done}"),
        "given all": _(
            "Given all the words, the probability of “{word}” goes from {before} to {after}%."
        ),
        "given the beginning": _(
            "The probability of “{word}” there, after the same beginning, goes from {before} to "
            "{after}%."
        ),
    }


def finding_words() -> dict[str, object]:
    """Return the texts of what a trace shows, and the names that they use."""
    texts = {name: _(text) for name, text in finding_texts().items()}
    return {"changes": texts, "kinds": dict(kind_names()), "sublayers": dict(sublayer_names())}


def finding_texts() -> dict[str, str]:
    """Return what is said of a trace in English, by its names."""
    return {**TEXTS, "tie": TIE, "rare": RARE}


def formula_words() -> dict[str, str]:
    """Return the texts of a head's formulas, and the name of their box."""
    return {"box": _("The formulas, with these numbers"), **formulas.texts()}


def _texts_of(place: str) -> dict[str, object]:
    """Translate all texts in a file or a folder of sources."""
    path = HOME / place
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    said = [text for file in files for text in said_by_code(file.read_text(encoding="utf-8"))]
    return {
        text if isinstance(text, str) else text[0]: _(text)
        if isinstance(text, str)
        else [_n(*text, 1), _n(*text, 2)]
        for text in said
    }


def of_sentence() -> list[str]:
    """Return the names of a link's parameters that mean nothing for another sentence."""
    return [one.name for one in TABLE if one.reach == "this sentence"] + [*SAID_OF_A_VIEW]


def tied() -> list[str]:
    """Return the names, in a link, of interventions that name pieces of its sentence."""
    return [name for one in INTERVENTIONS if one.names_pieces for name in one.names]
