"""How the kinds of recurrent models and their formulas are written."""

from model.recurrent.config import Attending
from viz.language.text import _


def name_of(kind: Attending) -> str:
    """Name a kind as people read it."""
    return {
        "none": _("fixed vector"),
        "dot": _("dot"),
        "general": _("general"),
        "additive": _("additive"),
        "local-p": _("local-p"),
        "bahdanau": _("additive, looks first"),
    }[kind]


SCORES: dict[Attending, str] = {
    "dot": r"e_{tj} = \frac{s_t^\top h_j}{\sqrt{R}}",
    "general": r"e_{tj} = \frac{s_t^\top W h_j}{\sqrt{R}}",
    "additive": r"e_{tj} = v^\top \tanh(W [s_t; h_j])",
    "bahdanau": r"e_{tj} = v^\top \tanh(W [s_{t-1}; h_j])",
    "local-p": r"e_{tj} = \frac{s_t^\top W h_j}{\sqrt{R}},\quad"
    r" p_t = S\,\sigma(v^\top \tanh(W_p s_t))",
}
