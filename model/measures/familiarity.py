"""How far a sentence is from what a model learned from: its length, its words, its translation."""

from collections.abc import Sequence
from typing import Literal

from model.words import is_byte, is_special, words_of

Sign = Literal["long", "rare", "unsure"]
SIGNS: tuple[Sign, ...] = ("long", "rare", "unsure")
"""What tells that a sentence is far: the larger each number, the farther."""

COMMON = 3
"""Words of one piece that are counted along, so that one rare word alone makes no rare sentence."""


def signs(tokens: Sequence[str], log_prob: float, written: int) -> dict[Sign, float]:
    """Measure a source by its tokens, and its translation of so many pieces, its end included.

    `long` is how many pieces the source has without its end; `rare` is into how many pieces a word
    is cut, on average over its words and some common ones: what is rare in training has no piece of
    its own; `unsure` is how improbable a piece of the translation is, in nats, on average. Raises
    ValueError when nothing was written.
    """
    if written < 1:
        raise ValueError("a translation has at least its end, but nothing was written")
    pieces = [place for place, token in enumerate(tokens) if not is_special(token)]
    words = [
        word
        for word in words_of(tokens)
        if any(map(str.isalnum, word.text)) or is_byte(tokens[word.first])
    ]
    inside = sum(word.last - word.first + 1 for word in words if word.first in pieces)
    count = sum(word.first in pieces for word in words)
    return {
        "long": float(len(pieces)),
        "rare": (inside + COMMON) / (count + COMMON),
        "unsure": -log_prob / written,
    }
