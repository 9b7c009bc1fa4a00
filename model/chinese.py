"""Traditional Chinese characters, and how they are written in simplified Chinese.

`traditional.tsv` has them in lines of fifty, the simplified ones behind the tab. They are the
characters of OpenCC's table TSCharacters (Apache License 2.0, github.com/BYVoid/OpenCC) that are
always written differently; what is also used in simplified texts is not among them.
"""

from functools import cache
from pathlib import Path


def traditional_in(text: str) -> tuple[str, ...]:
    """Return the traditional characters of a text, each once, in their order."""
    table = _table()
    return tuple(dict.fromkeys(character for character in text if ord(character) in table))


def simplified(text: str) -> str:
    """Write a text in simplified characters, one by one; all others stay."""
    return text.translate(_table())


@cache
def _table() -> dict[int, str]:
    rows = Path(__file__).with_name("traditional.tsv").read_text(encoding="utf-8").splitlines()
    sides = [row.split("\t") for row in rows]
    both = ["".join(side) for side in zip(*sides, strict=True)]
    return {ord(one): other for one, other in zip(*both, strict=True)}
