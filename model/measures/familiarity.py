"""The distance of a sentence from the training data: its length, words and translation."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from model.words import is_byte, is_special, words_of

Sign = Literal["long", "rare", "unsure"]
SIGNS: tuple[Sign, ...] = ("long", "rare", "unsure")
"""The signs of a far sentence: the larger each number, the farther."""

COMMON = 3
"""One-piece words added to each sentence, so that a single rare word does not make it rare."""


@dataclass(frozen=True)
class WrittenWord:
    """A word of a translation; its probability is the product of its pieces' probabilities."""

    text: str
    likely: float


def written_words(tokens: Sequence[str], log_probs: Sequence[float]) -> list[WrittenWord]:
    """Return the words of a translation, from its pieces and their log-probabilities in nats.

    Punctuation and pieces without text are not words.
    """
    return [
        WrittenWord(word.text, exp(sum(log_probs[word.first : word.last + 1])))
        for word in words_of(tokens)
        if any(map(str.isalnum, word.text))
    ]


def signs(tokens: Sequence[str], log_prob: float, written: int) -> dict[Sign, float]:
    """Measure a source by its tokens, and its translation of `written` pieces, with the end token.

    `long` is the number of source pieces without the end token. `rare` is the mean number of pieces
    a word, over its words and some common words: words that are rare in training have no piece of
    their own. `unsure` is the mean improbability of a translated piece, in nats. Raises ValueError
    when the translation is empty.
    """
    if written < 1:
        raise ValueError("a translation has at least its end, but nothing was written")
    pieces = [at for at, token in enumerate(tokens) if not is_special(token)]
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
