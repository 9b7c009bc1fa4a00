"""Texts of strangers, escaped for Markdown, and the words for an empty translation."""

import re
from collections.abc import Iterable

from viz.language.text import _

_WIDE = tuple("。！？；：）」")
_ADDRESS = re.compile(r"://|www\.|@", re.IGNORECASE)


def no_words() -> str:
    """Say that a translation has no words: no piece but the end, or spaces alone."""
    return _("(no words)")


def listed(parts: Iterable[str]) -> str:
    """Return several parts in a row, with the comma between them that the language writes."""
    return _("{one}, {other}").format(one="", other="").join(parts)


def in_a_row(sentences: Iterable[str]) -> str:
    """Join the sentences that are not empty.

    Spaces stand between them, but none after Chinese marks, which have their own room.
    """
    said = ""
    for sentence in filter(None, sentences):
        said += sentence if not said or said.endswith(_WIDE) else f" {sentence}"
    return said


def escaped(text: str) -> str:
    """Escape Markdown in a text that is not ours, such as a piece from a link.

    All texts from outside this repository pass through here on their way into a label, a button, a
    toast or running text. Markdown turns addresses into links without any mark, escaped or not. An
    invisible character that allows no line break separates them.
    """
    parted = _ADDRESS.sub(
        lambda match: f"{match[0][:-1]}\u2060{match[0][-1]}", " ".join(text.splitlines())
    )
    return re.sub(r"([\\\[\]*_`$:~<>#|!&])", r"\\\1", parted)
