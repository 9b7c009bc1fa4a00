"""Attention of chosen heads between chosen tokens as a figure for print: a matrix, or lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.figures.theme import (
    HEAD_COLOURS,
    KEY,
    LIGHT,
    QUERY,
    Scale,
    key_axis,
    query_axis,
    token_text,
)
from viz.language.text import _
from viz.notebook.paper.picture import Box, Curve, Mark, Picture, Words, width_of, wrapped

View = Literal["matrix", "lines"]
Merge = Literal["mean", "maximum"]
CELL, ROW, SIZE, MARGIN = 24, 26, 14, 16
LEAST_WIDTH, BETWEEN = 420, 240
FAINTEST = 0.02
"""Smaller weights are not drawn as lines; the caption says so."""


@dataclass(frozen=True)
class Choice:
    """The part of a recording to draw; all numbers count from 1, as on screen.

    `heads` None means all of the layer. A matrix merges several heads, by their mean or maximum.
    `queries` and `keys` are the places of the tokens to keep, None for all.
    """

    kind: Kind
    layer: int
    heads: tuple[int, ...] | None = None
    view: View = "matrix"
    merge: Merge = "mean"
    queries: tuple[int, ...] | None = None
    keys: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Shown:
    """Weights (heads, query, key) of the chosen tokens, and the names of all three axes."""

    weights: NDArray[np.float32]
    heads: tuple[int, ...]
    queries: tuple[str, ...]
    keys: tuple[str, ...]


def shown(recording: ExplorerRecording, choice: Choice) -> Shown:
    """Return the weights and names of a choice; ValueError names a number that does not exist."""
    if choice.view not in get_args(View):
        raise ValueError(f"view must be one of {', '.join(get_args(View))}, not {choice.view!r}")
    if choice.merge not in get_args(Merge):
        raise ValueError(f"merge must be one of {', '.join(get_args(Merge))}, not {choice.merge!r}")
    weights = recording.weights(choice.kind)  # L H query key
    layer = places("layer", (choice.layer,), weights.shape[0])[0]
    heads = places("head", choice.heads, weights.shape[1])
    rows = places("query", choice.queries, weights.shape[2])
    columns = places("key", choice.keys, weights.shape[3])
    queries, keys = recording.tokens(choice.kind)
    after = recording.predicted_tokens if choice.kind != "encoder" else ()
    return Shown(
        weights[layer][np.ix_(heads, rows, columns)],
        tuple(head + 1 for head in heads),
        tuple(
            token_text(f"{queries[row]} → {after[row]}" if after else queries[row]) for row in rows
        ),
        tuple(token_text(keys[column]) for column in columns),
    )


def places(name: str, numbers: Sequence[int] | None, count: int) -> list[int]:
    """Turn numbers from 1 into places from 0, None into all; ValueError names a wrong one."""
    if numbers is None:
        return list(range(count))
    if not numbers:
        raise ValueError(f"{name}: at least one number expected, none given")
    for number in numbers:
        if not isinstance(number, Integral) or not 1 <= number <= count:
            raise ValueError(f"{name} must be 1 to {count}, not {number!r}")
    return [number - 1 for number in numbers]


def attention_picture(recording: ExplorerRecording, choice: Choice) -> Picture:
    """Draw a choice with its title, axes, legend and a caption; ValueError as in `shown`."""
    part = shown(recording, choice)
    draw = _matrix if choice.view == "matrix" else _lines
    marks, width, height = draw(part, choice)
    title = _title(part, choice)
    width = max(width, LEAST_WIDTH, round(width_of(title, 18)) + 2 * MARGIN)
    all_marks: list[Mark] = [Words(MARGIN, 30, title, 17, LIGHT.text, bold=True), *marks]
    for line in _caption(recording, part, choice):
        for part in wrapped(line, 13, width - 2 * MARGIN):
            height += 19
            all_marks.append(Words(MARGIN, height, part, 13, "#555867"))
    return Picture(width, height + MARGIN, title, tuple(all_marks))


def _title(part: Shown, choice: Choice) -> str:
    names = ", ".join(f"{choice.kind} {choice.layer}.{head}" for head in part.heads)
    if len(part.heads) == 1 or choice.view == "lines":
        return names
    merged = {"mean": _("Mean of {names}"), "maximum": _("Maximum of {names}")}[choice.merge]
    return merged.format(names=names)


def _caption(recording: ExplorerRecording, part: Shown, choice: Choice) -> list[str]:
    lines: list[str] = []
    if choice.view == "lines":
        text = _("Opacity = weight, 0 to 1; weights under {least:.2f} are not drawn.")
        lines.append(text.format(least=FAINTEST))
    full = recording.weights(choice.kind).shape[2:]
    if part.weights.shape[1:] != full:
        text = _("{queries} of {all_queries} queries and {keys} of {all_keys} keys are shown.")
        queries, keys = part.weights.shape[1:]
        all_queries, all_keys = full
        lines.append(
            text.format(queries=queries, keys=keys, all_queries=all_queries, all_keys=all_keys)
        )
    lines.append(_("Source: {text}").format(text=recording.sentence))
    if recording.translation:
        lines.append(_("Target: {text}").format(text=recording.translation))
    lines.append(_("Model: {name}. Made with Headlight.").format(name=recording.checkpoint))
    return lines


def _longest(names: Sequence[str]) -> float:
    return max(width_of(name, SIZE) for name in names)


def _matrix(part: Shown, choice: Choice) -> tuple[list[Mark], int, int]:
    merged = part.weights.mean(axis=0) if choice.merge == "mean" else part.weights.max(axis=0)
    left = MARGIN + 24 + _longest(part.queries) + 8
    top = 62 + _longest(part.keys) + 8
    wide, high = CELL * len(part.keys), CELL * len(part.queries)
    marks: list[Mark] = [
        Words(left, 56, key_axis(), SIZE, KEY, bold=True),
        Words(MARGIN + 12, top + high, query_axis(), SIZE, QUERY, turned=True, bold=True),
    ]
    for row, name in enumerate(part.queries):
        marks.append(Words(left - 8, top + (row + 0.7) * CELL, name, SIZE, anchor="end"))
        for column, weight in enumerate(merged[row]):
            place = left + column * CELL, top + row * CELL
            marks.append(Box(*place, CELL, CELL, _colour(LIGHT.sequential, float(weight))))
    for column, name in enumerate(part.keys):
        marks.append(Words(left + (column + 0.7) * CELL, top - 8, name, SIZE, turned=True))
    marks.append(Box(left, top, wide, high, "none", "#c9ccd4"))
    bottom = top + max(high, width_of(query_axis(), SIZE) - 40)
    marks += _legend(left, bottom + 16)
    right = max(left + wide, left + width_of(key_axis(), SIZE), left + 260)
    return marks, round(right + MARGIN), round(bottom + 40)


def _legend(x: float, y: float) -> list[Mark]:
    steps, wide = 20, 6
    marks: list[Mark] = [Words(x, y + 11, _("weight"), 13), Words(x + 60, y + 11, "0", 13)]
    start = x + 76
    for step in range(steps):
        colour = _colour(LIGHT.sequential, step / (steps - 1))
        marks.append(Box(start + step * wide, y, wide, 13, colour))
    marks.append(Box(start, y, steps * wide, 13, "none", "#c9ccd4"))
    return [*marks, Words(start + steps * wide + 8, y + 11, "1", 13)]


def _lines(part: Shown, choice: Choice) -> tuple[list[Mark], int, int]:  # noqa: ARG001
    left = MARGIN + max(_longest(part.queries), width_of(query_axis(), SIZE))
    right = left + BETWEEN
    width = right + max(_longest(part.keys), width_of(key_axis(), SIZE)) + MARGIN
    marks: list[Mark] = [
        Words(left - 8, 62, query_axis(), SIZE, QUERY, "end", bold=True),
        Words(right + 8, 62, key_axis(), SIZE, KEY, bold=True),
    ]
    for number, head in enumerate(part.heads):
        colour = HEAD_COLOURS[(head - 1) % len(HEAD_COLOURS)]
        x = left + 10 + number * 34
        if len(part.heads) * 34 < BETWEEN:
            marks += [Box(x, 51, 11, 11, colour), Words(x + 15, 61, str(head), 13)]
        for row, column in np.argwhere(part.weights[number] >= FAINTEST):
            weight = float(part.weights[number, row, column])
            y0, y1 = 84 + int(row) * ROW, 84 + int(column) * ROW
            marks.append(Curve(left, y0, right, y1, colour, min(1.0, weight)))
    for row, name in enumerate(part.queries):
        marks.append(Words(left - 8, 89 + row * ROW, name, SIZE, anchor="end"))
    for column, name in enumerate(part.keys):
        marks.append(Words(right + 8, 89 + column * ROW, name, SIZE))
    rows = max(len(part.queries), len(part.keys))
    return marks, round(width), 84 + rows * ROW


def _colour(scale: Scale, weight: float) -> str:
    """Return the colour of a weight on a scale, as #rrggbb."""
    stops = [stop for stop, _colour in scale]
    channels = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for _stop, c in scale])
    mixed = [round(float(np.interp(weight, stops, channels[:, i]))) for i in range(3)]
    return "#" + "".join(f"{value:02x}" for value in mixed)
