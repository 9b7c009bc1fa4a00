"""Two sentences that differ in little: aligned by pieces, with the step that decides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from model.words import Span


@dataclass(frozen=True)
class Slot:
    """Corresponding pieces of two sentences; None where a sentence has no such piece."""

    first: Span | None
    second: Span | None
    same: bool


def align(first: Sequence[str], second: Sequence[str]) -> list[Slot]:
    """Align the tokens of two sentences one by one.

    Where a difference is longer in one sentence, its end is aligned as a whole.
    """
    slots: list[Slot] = []
    steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    for tag, start, end, other_start, other_end in steps:
        alone = max(0, min(end - start, other_end - other_start) - 1)
        slots += [
            Slot((start + n, start + n), (other_start + n, other_start + n), tag == "equal")
            for n in range(alone)
        ]
        spans = _span(start + alone, end), _span(other_start + alone, other_end)
        slots.append(Slot(*spans, same=tag == "equal"))
    return slots


def _span(start: int, end: int) -> Span | None:
    return (start, end - 1) if start < end else None


def by_slot(
    weights: NDArray[np.floating], queries: Sequence[Span | None], keys: Sequence[Span | None]
) -> NDArray[np.float64]:
    """Regroup weights (..., query, key): the mean over a slot's queries, the sum over its keys.

    A slot without pieces gets no weight as a key, and NaN as a query.
    """
    weights = weights.astype(np.float64)
    nothing = np.zeros((*weights.shape[:-1], 1))
    columns = [
        weights[..., key[0] : key[1] + 1].sum(axis=-1, keepdims=True) if key else nothing
        for key in keys
    ]
    joined = np.concatenate(columns, axis=-1)  # ... query slot
    blank = np.full((*joined.shape[:-2], 1, joined.shape[-1]), np.nan)
    rows = [
        joined[..., query[0] : query[1] + 1, :].mean(axis=-2, keepdims=True) if query else blank
        for query in queries
    ]
    return np.concatenate(rows, axis=-2)  # ... slot slot


@dataclass(frozen=True)
class Decision:
    """The pieces before a step, begin token included, and the two pieces that could follow."""

    prefix: tuple[int, ...]
    first: int
    second: int


def parting(first: Sequence[int], second: Sequence[int]) -> Decision | None:
    """Find the first difference of two targets, with begin and end tokens; None if equal."""
    for step, (piece, other_piece) in enumerate(zip(first, second, strict=False)):
        if piece != other_piece:
            return Decision(tuple(first[:step]), piece, other_piece)
    return None


def swapped_rival(text: str, rivals: Sequence[tuple[str, str]]) -> str | None:
    """Swap the last word of a text that is in a pair, such as il and elle, for its rival.

    Returns None without such a word. A capital letter stays a capital.
    """
    pairs = [swap for word, rival in rivals for swap in ((word, rival), (rival, word))]
    rival_of = dict([*pairs, *((word.capitalize(), rival.capitalize()) for word, rival in pairs)])
    words = "|".join(map(re.escape, rival_of))
    matches = list(re.finditer(rf"(?<![^\W\d_])({words})(?![^\W\d_])", text)) if rival_of else []
    if not matches:
        return None
    start, end = matches[-1].span()
    return text[:start] + rival_of[matches[-1].group()] + text[end:]
