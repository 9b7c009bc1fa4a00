"""The Markdown of lessons as XHTML with formulas in MathML, for paper and for quizzes."""

import re
from html import unescape

from latex2mathml.converter import convert
from markdown_it import MarkdownIt

_FORMULA = re.compile(r"\$([^$]+)\$")
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"'
_DOLLAR = "\ue000"
"""A character that no language uses. It stands for a dollar that does not begin a formula."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def block(text: str) -> str:
    """Return Markdown as XHTML paragraphs and lists; `xml` adds the namespace of formulas."""
    return _formulas(_MARKDOWN.render(_protected(text))).strip()


def inline(text: str) -> str:
    """Return a line of Markdown as `block` does, but without a paragraph around it."""
    return _formulas(_MARKDOWN.renderInline(_protected(text)))


def plain(text: str) -> str:
    """Return a line of Markdown without its marks; formulas stay in TeX."""
    return unescape(re.sub(r"<[^>]+>", "", _MARKDOWN.renderInline(text)))


def xml(html: str) -> str:
    """Return HTML in which formulas have the namespace that XML needs."""
    return html.replace("<math>", f"<math{_NAMESPACE}>")


def _protected(markdown: str) -> str:
    """Protect formulas from Markdown, for which an underscore or a backslash would be a mark."""
    hidden = markdown.replace(r"\$", _DOLLAR)
    return _FORMULA.sub(
        lambda formula: "$" + re.sub(r"([\\_*\[\]])", r"\\\1", formula[1]) + "$", hidden
    )


def _formulas(html: str) -> str:
    converted = _FORMULA.sub(lambda formula: convert(unescape(formula[1])), html)
    converted = converted.replace(_NAMESPACE, "")
    return converted.replace(_DOLLAR, "$")
