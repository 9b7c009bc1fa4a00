"""Traditional Chinese characters and their simplified forms.

`traditional.tsv` holds fifty characters a line, with the simplified ones after the tab. They are
the characters of OpenCC's table TSCharacters (Apache License 2.0, github.com/BYVoid/OpenCC) that
always change. Characters that simplified texts use too are left out.
"""

from functools import cache
from pathlib import Path


def traditional_in(text: str) -> tuple[str, ...]:
    """Return the traditional characters of a text in order, each once."""
    table = _table()
    return tuple(dict.fromkeys(character for character in text if ord(character) in table))


def simplified(text: str) -> str:
    """Replace each traditional character by its simplified form; keep all others."""
    return text.translate(_table())


@cache
def _table() -> dict[int, str]:
    rows = Path(__file__).with_name("traditional.tsv").read_text(encoding="utf-8").splitlines()
    sides = [row.split("\t") for row in rows]
    both = ["".join(side) for side in zip(*sides, strict=True)]
    return {ord(one): other for one, other in zip(*both, strict=True)}
