"""The names of the kinds of recurrent models and of their gates, and their score formulas."""

from model.recurrent.config import Attending
from viz.language.text import _


def name_of(kind: Attending) -> str:
    """Return the name of a kind on screen."""
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


def gate_name(site: str) -> str:
    """Return the name of a gate, or of the cell, with its letter in the formulas."""
    return {
        "reset": _("reset r"),
        "update": _("update z"),
        "input_gate": _("input i"),
        "forget_gate": _("forget f"),
        "output_gate": _("output o"),
        "candidate": _("candidate n"),
        "cell": _("cell m"),
    }[site]


SCORES: dict[Attending, str] = {
    "dot": r"e_{tj} = \frac{s_t^\top h_j}{\sqrt{R}}",
    "general": r"e_{tj} = \frac{s_t^\top W h_j}{\sqrt{R}}",
    "additive": r"e_{tj} = v^\top \tanh(W [s_t; h_j])",
    "lstm": r"e_{tj} = v^\top \tanh(W [s_t; h_j])",
    "bahdanau": r"e_{tj} = v^\top \tanh(W [s_{t-1}; h_j])",
    "local-p": r"e_{tj} = \frac{s_t^\top W h_j}{\sqrt{R}},\quad"
    r" p_t = S\,\sigma(v^\top \tanh(W_p s_t))",
}
