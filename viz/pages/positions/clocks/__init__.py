"""Pairs of dimensions as curves and as hands of clocks, at a position that moves over words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from model.words import is_mute, is_punctuation
from viz.components import message
from viz.components.component import palette, renderer
from viz.language.text import _
from viz.pages.positions.settings import Settings
from viz.pages.positions.table import pair_of, pair_places, sinusoids, wavelengths

ENTRY = Path(__file__).parent / "assets" / "clocks.js"
FINE = 6
"""The steps drawn from one position to the next, so that a fast sine looks like a sine."""


def clocks(sent: bytes) -> None:
    """Draw the message of `pack`; the browser sends nothing back."""
    renderer("clocks", ENTRY)(key="clocks", data=sent)


def pack(
    dimensions: Sequence[int], settings: Settings, tokens: Sequence[str], *, added: bool = True
) -> bytes:
    """Pack the pairs of some dimensions for the browser, and the whole table as bytes.

    The rows of the table are said to be `added` to the tokens only if the model adds them.
    `pairs` (P, F, 2) are sine and cosine, FINE steps to a position; a byte of `table` (length, D)
    is 0 for -1 and 255 for 1. `tokens` are the pieces of the sentence, from position 0 on; `opens`
    is the last with letters, where the hands stand at first. Raises ValueError when a dimension
    does not exist.
    """
    width, length = settings.width, settings.length
    if wrong := [dimension for dimension in dimensions if not 0 <= dimension < width]:
        raise ValueError(f"dimensions must be 0 to {width - 1}, not {wrong}")
    pairs = sorted({pair_of(dimension, width, settings.layout) for dimension in dimensions})
    places = [pair_places(pair, width, settings.layout) for pair in pairs]
    fine = np.arange((length - 1) * FINE + 1) / FINE
    curves = sinusoids(fine, width, settings.base, settings.layout)  # F D
    waves = wavelengths(width, settings.base)
    header = {
        "fine": FINE,
        "length": length,
        "tokens": list(tokens[:length]),
        "opens": _last_word(tokens[:length]),
        "pairs": [
            {
                "dimensions": place,
                "chosen": [dimension in dimensions for dimension in place],
                "wave": _("once round in {count} positions").format(count=_counted(waves[pair])),
            }
            for pair, place in zip(pairs, places, strict=True)
        ],
        "palette": palette(),
        "words": _words(width, added),
    }
    arrays = {
        "pairs": np.stack([curves[:, place] for place in places]).astype("<f4")
        if places
        else np.zeros((0, len(fine), 2), "<f4"),
        "table": message.quantise((curves[::FINE] + 1) / 2),
    }
    return message.pack(header, arrays, deflate=True)


def _last_word(tokens: Sequence[str]) -> int:
    """Return the last place that is neither a mark nor without text; 0 without any."""
    backwards = reversed(range(len(tokens)))
    return next(
        (at for at in backwards if not is_punctuation(tokens[at]) and not is_mute(tokens[at])), 0
    )


def _counted(wave: float) -> str:
    return f"{wave:.1f}" if wave < 100 else f"{wave:,.0f}"


def _words(width: int, added: bool) -> dict[str, str]:
    row = _("the vector of this position: {count} numbers from \u22121 to 1")
    return {
        "play": _("Play"),
        "pause": _("Pause"),
        "position": _("Position"),
        "at": _("position {position}: {piece}"),
        "beyond": _("position {position}, after the sentence"),
        "dimensions": _("dimensions {sine}, {cosine}"),
        "added": _("what is added to {piece}: {count} numbers from \u22121 to 1") if added else row,
        "row": row,
        "count": str(width),
        "sentence": _("this sentence"),
        "curves": _("Sine and cosine of this pair at every position"),
        "clock": _("The same pair as the hand of a clock"),
        "vector": _("The vector of this position as stripes, a dimension a stripe"),
    }
