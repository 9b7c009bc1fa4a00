"""Texts inside formulas, of any language or of a visitor, which LaTeX shows unchanged."""

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


def in_formula(text: str) -> str:
    """Set a text into a formula; none of its characters can end the text or the formula."""
    return rf"\text{{{''.join(_ESCAPES.get(one, one) for one in text)}}}"
