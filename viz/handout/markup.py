"""The Markdown of lessons as XHTML, with formulas in MathML: for paper and for quizzes."""

import re
from html import unescape

from latex2mathml.converter import convert
from markdown_it import MarkdownIt

_FORMULA = re.compile(r"\$([^$]+)\$")
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"'
_DOLLAR = "\ue000"
"""A character of no language, in the place of a dollar that begins no formula."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def block(text: str) -> str:
    """Return a text as paragraphs and lists; only formulas lack the namespace that XML needs."""
    return _formulas(_MARKDOWN.render(_kept(text))).strip()


def inline(text: str) -> str:
    """Return one line of text as `block` does, without a paragraph around it."""
    return _formulas(_MARKDOWN.renderInline(_kept(text)))


def plain(text: str) -> str:
    """Return a line of Markdown without its marks; formulas stay in TeX."""
    return unescape(re.sub(r"<[^>]+>", "", _MARKDOWN.renderInline(text)))


def xml(html: str) -> str:
    """Give the formulas of a text their namespace."""
    return html.replace("<math>", f"<math{_NAMESPACE}>")


def _kept(text: str) -> str:
    """Keep Markdown away from formulas: an underscore or a backslash is no mark there."""
    hidden = text.replace(r"\$", _DOLLAR)
    return _FORMULA.sub(
        lambda found: "$" + re.sub(r"([\\_*\[\]])", r"\\\1", found[1]) + "$", hidden
    )


def _formulas(html: str) -> str:
    made = _FORMULA.sub(lambda found: convert(unescape(found[1])), html)
    made = made.replace(_NAMESPACE, "")
    return made.replace(_DOLLAR, "$")
