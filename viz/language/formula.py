"""Formulas of several pages, and texts inside formulas, which LaTeX shows unchanged."""

_ESCAPES = {
    "\\": r"\backslash ",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\char94 ",
    "~": r"\char126 ",
    "`": r"\char96 ",
    "\n": " ",
}


def scores_formula(scores: str) -> str:
    """Write how a query is compared with a key; `scores` is "dot" or "additive"."""
    return r"\frac{q\,k^\top}{\sqrt{d_k}}" if scores == "dot" else r"v \tanh(q + k)"


def in_formula(text: str) -> str:
    """Set a text into a formula; none of its characters can end the text or the formula."""
    return rf"\text{{{''.join(_ESCAPES.get(one, one) for one in text)}}}"
