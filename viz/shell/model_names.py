"""The names of models on screen, which say what a model is, not what its folder is called."""

from model.recurrent.config import Attending
from viz.compute import models
from viz.language.text import _


def model_name(name: str) -> str:
    """Return words that say what a model is; a model that is not shipped keeps its own name."""
    if not models.is_shipped(name):
        return name
    kind = models.kind_of(name)
    return recurrent_name(kind) if kind else _("Transformer")


def recurrent_name(kind: Attending) -> str:
    """Return the name of a recurrent model, after its kind of attention."""
    return _("Recurrent, {kind}").format(kind=kind_name(kind))


def kind_name(kind: Attending) -> str:
    """Return the name on screen of a recurrent model's kind of attention."""
    return {
        "none": _("fixed vector"),
        "cho": _("fixed vector at each step"),
        "dot": _("dot"),
        "general": _("general"),
        "additive": _("additive"),
        "local-p": _("local-p"),
        "bahdanau": _("additive, looks first"),
        "lstm": _("additive, LSTM"),
    }[kind]
