"""Many sentences in groups: by their length, or with and without a word."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from viz.compute import many
from viz.compute.many import Line, Row, Table
from viz.language.text import _

LENGTHS = (5, 10, 20)
"""The most words of a sentence in each group; longer sentences are in a last group."""

Group = tuple[str, list[int]]


def by_length(rows: Sequence[Row]) -> list[Group]:
    """Put sentences into groups by their number of words; empty groups are left out."""
    edges = (0, *LENGTHS, max((row.words for row in rows), default=0))
    groups: list[Group] = []
    for low, high in pairwise(edges):
        inside = [n for n, row in enumerate(rows) if low < row.words <= high]
        name = _("{low} to {high} words").format(low=low + 1, high=high)
        groups += [(name, inside)] if inside else []
    silent = [n for n, row in enumerate(rows) if not row.words]
    return [*groups, *([(_("no word"), silent)] if silent else [])]


def by_word(lines: Sequence[Line], word: str) -> list[Group]:
    """Put sentences into groups with and without a word, in any case; empty groups are left out."""
    bounds = r"\b" if word.isascii() else ""  # Chinese has no space between words
    wanted = re.compile(f"{bounds}{re.escape(word)}{bounds}", re.IGNORECASE)
    with_word = [n for n, line in enumerate(lines) if wanted.search(line.text)]
    others = sorted({*range(len(lines))} - {*with_word})
    groups = ((_("with “{word}”"), with_word), (_("without “{word}”"), others))
    return [(name.format(word=word), inside) for name, inside in groups if inside]


def columns_of(
    groups: Sequence[Group], lines: Sequence[Line], table: Table, beside: str, sharp: str
) -> dict[str, list[object]]:
    """Return a table of groups by the names of its columns: means, and BLEU and chrF of each group.

    `beside` names the other side, if any; `sharp` is the name of the column of sharpness.
    """
    columns: dict[str, list[object]] = {
        _("group"): [name for name, _inside in groups],
        _("sentences"): [len(inside) for _name, inside in groups],
    }
    sides = [("", table.rows), *([(f", {beside}", table.beside)] if beside else [])]
    for name, rows in sides:
        scores = [
            many.scores([lines[n] for n in inside], [rows[n] for n in inside])
            for _name, inside in groups
        ]
        if any(scores):
            columns[f"BLEU{name}"] = [round(score.bleu, 1) if score else None for score in scores]
            columns[f"chrF{name}"] = [round(score.chrf, 1) if score else None for score in scores]
        columns[_("log-probability a piece") + name] = [
            _mean([rows[n].likely for n in inside], 3) for _name, inside in groups
        ]
    own = table.rows
    columns[sharp] = [_mean([own[n].sharp for n in inside], 2) for _name, inside in groups]
    columns[_("source looked at")] = [
        _mean([own[n].covered for n in inside], 2) for _name, inside in groups
    ]
    columns[_("repeated words")] = [
        sum(own[n].repeated for n in inside) for _name, inside in groups
    ]
    return columns


def _mean(values: Sequence[float], digits: int) -> float | None:
    known = [value for value in values if not np.isnan(value)]
    return round(float(np.mean(known)), digits) if known else None
