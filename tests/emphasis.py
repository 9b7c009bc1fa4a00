"""Emphasis that Markdown does not see: beside Chinese letters its marks need a letter inside."""

import re
import unicodedata

_NOT_TEXT = re.compile(r"`[^`]*`|\$[^$]*\$|\\.")


def unseen_emphasis(text: str) -> list[str]:
    """List the stars of a paragraph that are shown as stars, with what stands around them.

    By CommonMark's rule of flanking: inside, punctuation needs no letter on the other side.
    Stars alternate here: one run opens, the next closes it. Braces count as punctuation, as what
    is put in their place may be "98.1%".
    """
    plain = _NOT_TEXT.sub(lambda found: "x" * len(found[0]), text)
    runs = [found for found in re.finditer(r"\*+", plain) if not _alone(plain, found)]
    wrong = [
        plain[max(0, found.start() - 8) : found.end() + 8]
        for number, found in enumerate(runs)
        if not _flanks(plain, found, opens=number % 2 == 0)
    ]
    return [*wrong, *([f"unpaired: {plain}"] if len(runs) % 2 else [])]


def _around(text: str, found: re.Match[str]) -> tuple[str, str]:
    return text[: found.start()][-1:] or " ", text[found.end() :][:1] or " "


def _alone(text: str, found: re.Match[str]) -> bool:
    """Tell whether it is a list's mark or a sign of multiplication."""
    return all(side.isspace() for side in _around(text, found))


def _flanks(text: str, found: re.Match[str], *, opens: bool) -> bool:
    before, after = _around(text, found)
    inside, outside = (after, before) if opens else (before, after)
    if inside.isspace():
        return False
    return not _mark(inside) or outside.isspace() or _mark(outside)


def _mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
