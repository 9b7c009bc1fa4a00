"""A drawing of how each of a few models gets from the sentence to its translation."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.words import SPECIAL_TOKENS, words_of
from viz.components.component import palette, renderer
from viz.components.miniatures import strip_picture
from viz.components.two_texts import new_words
from viz.figures.theme import Theme
from viz.language.text import _
from viz.language.wording import in_a_row, listed
from viz.pages.recurrent.contrast.words import between_words, written_words

_MAIN = Path(__file__).parent / "assets" / "contrast.js"
_SEEN = 0.05
"""Weights below this have no line."""


@dataclass(frozen=True, eq=False)
class Way:
    """A model's way from the pieces `keys` that it reads to the pieces that it writes.

    The way leads through one `vector` (R,), or along `weights` (T, S). `score` is the model's BLEU
    on the test set, `trained` says how long it learned, and `said` how the sentence reaches the
    translation. All `queries` but the first name the written pieces.
    """

    title: str
    said: str
    trained: str
    score: float | None
    queries: Sequence[str]
    keys: Sequence[str]
    weights: NDArray[np.floating] | None = None
    vector: NDArray[np.floating] | None = None


def contrast(ways: Sequence[Way], reference: Sequence[str], theme: Theme, language: str) -> None:
    """Draw the ways below each other; words that the `reference`, as pieces, lacks are marked.

    `language` is the code of the language of what is written, "" if unknown.
    """
    most = max((way.score for way in ways if way.score is not None), default=1.0) or 1.0
    known = [word.text for word in written_words(reference)]
    new = [new_words(known, [word.text for word in written_words(way.queries)]) for way in ways]
    data = {
        "ways": [_way(way, changed, most, theme) for way, changed in zip(ways, new, strict=True)],
        "language": language,
        "palette": palette(),
        "marks": _marks(any(way.weights is not None for way in ways), any(new)),
        "more": _("The pictures go on at the side: scroll them."),
    }
    renderer("contrast", _MAIN)(key="contrast", data=data)


def _marks(looks: bool, differs: bool) -> str:
    """Name the queries and keys of the lines, if any model looks, and explain the marked words."""
    texts = (
        _("Above: keys, what is looked at. Below: queries, each named by the word it writes."),
        _("In bold and orange: not what the Transformer writes, which can be wrong, too."),
    )
    return in_a_row(text for text, holds in zip(texts, (looks, differs), strict=True) if holds)


def _way(way: Way, new: set[int], most: float, theme: Theme) -> dict[str, object]:
    """Return a way for the browser; the written words with the numbers `new` are marked."""
    read, written = words_of(way.keys), written_words(way.queries)
    words = [word.text for word in written]
    lines = [] if way.weights is None else _lines(between_words(way.weights, written, read))
    return {
        "title": way.title,
        "said": way.said,
        "trained": way.trained,
        "score": None if way.score is None else f"{way.score:.1f}",
        "share": None if way.score is None else way.score / most,
        "read": [word.text for word in read],
        "written": [(word, index in new) for index, word in enumerate(words)],
        "lines": lines,
        "ends": [at for at, word in enumerate(read) if word.text == SPECIAL_TOKENS[2]],
        "vector": None if way.vector is None else strip_picture(way.vector, 1.0, theme.diverging),
        "label": _label([word.text for word in read], words, lines, way.vector is not None),
    }


def _lines(weights: NDArray[np.floating]) -> list[tuple[int, int, float]]:
    """List the visible weights (written, read): written word, read word, weight."""
    places = np.argwhere(weights >= _SEEN).tolist()
    return [(row, column, round(float(weights[row, column]), 3)) for row, column in places]


def _label(
    read: Sequence[str], written: Sequence[str], lines: list[tuple[int, int, float]], one: bool
) -> str:
    """Describe the picture: one vector, or the word that each written word looked at most."""
    if one:
        sentence = _("{read}: all words go into one vector, and from it comes: {written}")
        return sentence.format(read=" ".join(read), written=" ".join(written))
    best = {row: (column, weight) for row, column, weight in sorted(lines, key=lambda one: one[2])}
    looks = [f"{written[row]} ← {read[best[row][0]]} {best[row][1]:.2f}" for row in sorted(best)]
    return _("Looked at most: {looks}").format(looks=listed(looks))
