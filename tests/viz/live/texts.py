"""The texts that both models read: the sentences that are in the repository, and odd ones."""

import json
import os
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from model.training.data.samples import PARAGRAPH, VISITOR_SECOND_SET, VISITOR_SENTENCES
from tests.sentences import OURS

ROOT = Path(__file__).parents[3]

WHOLE = os.environ.get("HEADLIGHT_LIVE") == "all"
"""Whether the long comparisons run as a whole (`HEADLIGHT_LIVE=all`), or a part of each."""

SENTENCES = tuple(dict.fromkeys((*VISITOR_SENTENCES, *VISITOR_SECOND_SET, *OURS.texts, *PARAGRAPH)))

RANGES = (
    *((0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700)),
    *((0x900, 0xE00), (0x1100, 0x1200), (0x1E00, 0x2000), (0x2000, 0x2070), (0x2070, 0x2C00)),
    *((0x3000, 0x3400), (0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xF900, 0x10000)),
    *((0x1D400, 0x1D800), (0x1F000, 0x1FAFF), (0x20000, 0x20100), (0xE0000, 0xE0080)),
)
"""Letters, signs, combining marks, ligatures, spaces, emoji, other scripts and their forms."""

PIECES = (
    " ",
    "  ",
    "\u00a0",
    "\u3000",
    "▁",
    "'",
    "\u2019",
    "\u02bc",
    "e\u0301",
    "ﬁ",
    "\u200d",
    "½",
)


def bad_input() -> list[str]:
    """Read the odd texts that the app is tested with."""
    path = ROOT / "tests" / "app" / "bad_input.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words() -> list[str]:
    """Read all words and frames of the tables that sentences are generated from."""
    tables = sorted((ROOT / "model" / "training" / "generated").glob("*.tsv"))
    lines = [line for path in tables for line in path.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(cell for line in lines for cell in line.split("\t") if cell))


def odd(seed: int) -> Iterator[str]:
    """Make up texts of words, odd characters and anything between them, without an end."""
    draw = random.Random(seed)
    known = words()
    while True:
        parts = []
        for _ in range(draw.randint(1, 12)):
            kind = draw.random()
            if kind < 0.4:
                parts.append(draw.choice(known) + " ")
            elif kind < 0.6:
                parts.append(draw.choice(PIECES))
            else:
                first, last = draw.choice(RANGES)
                parts += [chr(draw.randrange(first, last)) for _ in range(draw.randint(1, 4))]
        yield "".join(parts)


def is_known(text: str) -> bool:
    """Tell whether every character has a meaning, in the version of Unicode of this Python."""
    return not any(unicodedata.category(mark) in ("Cn", "Cs") for mark in text)


def many(count: int, seed: int = 0) -> list[str]:
    """Return so many texts: all that are in the repository, then odd ones."""
    found = dict.fromkeys((*SENTENCES, *bad_input(), *words()))
    made = odd(seed)
    while len(found) < count:
        found[next(made)] = None
    return list(found)
