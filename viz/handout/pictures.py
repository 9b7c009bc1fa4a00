"""The picture beside a scene on paper, which shows the model before anybody has answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.interventions import link_text
from model.interventions.heads import AblateHead
from model.sites.sites import KINDS, Kind
from model.words import is_mute
from viz.compute import effects, runs
from viz.compute.effects import Effect
from viz.compute.runs import Subject
from viz.figures.labels import kind_names
from viz.figures.theme import KEY, LIGHT, QUERY, key_axis, query_axis, token_text
from viz.language.text import _
from viz.link import focus
from viz.notebook.explorer import Explorer
from viz.notebook.paper.attention import Choice, attention_picture
from viz.notebook.paper.picture import Box, Curve, Mark, Picture, Words, width_of, wrapped
from viz.shell.intervention_words import group_words
from viz.shell.lessons.format import Scene

WIDTH, MARGIN, SIZE, CHIP, CELL = 640, 12, 14, 24, 16
_SOFT, _EDGE = "#555867", "#9aa0ac"
Block = tuple[list[Mark], float]
"""Marks, measured from the top of their block, and the height of the block."""


def picture(scene: Scene, parameters: Mapping[str, str], subject: Subject) -> Picture:
    """Draw what a scene shows: its attention, or its sentence with the interventions.

    If the scene asks a question, no weights are drawn, as they might give away the answer. Raises
    ValueError if the scene has no sentence of its own, or names a head that does not exist.
    """
    drawn = scene.page in ("attention", "head") or "attention_head" in parameters
    if drawn and not scene.question and not subject.interventions:
        return _attention({**parameters, **_cross(parameters)}, subject)
    if "sentence" not in parameters:
        raise ValueError("this scene has no sentence")
    return _sentences(scene.title, parameters.get("second", ""), subject)


def _cross(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return what the page of the decoder's link says of its head, in the explorer's words."""
    if "attention_head" not in parameters:
        return {}
    layer, head = parameters["attention_layer"], parameters["attention_head"]
    return {"kind": "cross", "layer": layer, "head": head, "lock": f"q{parameters['step']}"}


def _attention(parameters: Mapping[str, str], subject: Subject) -> Picture:
    explorer = Explorer(runs.run(subject.sentence).recording, runs.translator())
    chosen = focus.read(parameters, runs.translator().network.config).focus
    kind = chosen.kind or KINDS[0]
    head, query = chosen.head, chosen.query(kind)
    choice = Choice(
        kind,
        (chosen.layer or 0) + 1,
        None if head is None else (head + 1,),
        "matrix" if head is None else "lines",
        queries=None if head is None or query is None else (query + 1,),
    )
    return attention_picture(explorer.recording, choice)


def _sentences(title: str, second: str, subject: Subject) -> Picture:
    """Draw the pieces of both sentences, the interventions, and the links and heads they cut."""
    parts = [_pieces(runs.source(subject.sentence).tokens)]
    if second:
        parts.append(_pieces(runs.source(second).tokens))
    if subject.interventions:
        effect = effects.effect(subject.sentence, subject.interventions)
        parts += [_said(subject), *_masks(effect), *_heads(subject)]
    marks: list[Mark] = []
    height = float(MARGIN)
    for block, tall in parts:
        marks += [_lower(mark, height) for mark in block]
        height += tall + 10
    return Picture(WIDTH, round(height), title, tuple(marks))


def _lower(mark: Mark, by: float) -> Mark:
    if isinstance(mark, Curve):
        return replace(mark, y0=mark.y0 + by, y1=mark.y1 + by)
    return replace(mark, y=mark.y + by)


def _pieces(tokens: Iterable[str]) -> Block:
    """Draw pieces as chips, in as many lines as they need."""
    marks: list[Mark] = []
    x, y = float(MARGIN), 0.0
    for token in tokens:
        label = token_text(token)
        wide = width_of(label, SIZE) + 10
        if x + wide > WIDTH - MARGIN:
            x, y = float(MARGIN), y + CHIP + 4
        colour = _EDGE if is_mute(token) else LIGHT.text
        marks += [
            Box(x, y, wide, CHIP, "none", _EDGE),
            Words(x + wide / 2, y + 17, label, SIZE, colour, "middle"),
        ]
        x += wide + 4
    return marks, y + CHIP


def _said(subject: Subject) -> Block:
    """Write in words what is changed in the model."""
    config, tokens = runs.translator().config, runs.source(subject.sentence).tokens
    groups = link_text.groups(subject.interventions)
    changes = "; ".join(group_words(group, config, tokens) for group in groups)
    sentence = _("Changed in the model: {changes}").format(changes=changes)
    lines = wrapped(sentence, SIZE, WIDTH - 2 * MARGIN)
    marks: list[Mark] = [Words(MARGIN, 14 + 19 * row, line, SIZE) for row, line in enumerate(lines)]
    return marks, 19 * len(lines)


def _masks(effect: Effect) -> list[Block]:
    """Draw the mask of each kind of attention whose mask has changed."""
    blocks: list[Block] = []
    recording, before = effect.forced, effect.before.recording
    for kind in recording.made_by.kinds:
        queries, keys = recording.tokens(kind)
        allowed = _allowed(recording.attention(kind))
        was = _allowed(before.attention(kind))
        if allowed.shape != was.shape or (allowed != was).any():
            blocks.append(_mask(kind, allowed, queries, keys))
    return blocks


def _allowed(weights: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell at which keys a query may look, (query, key): masked weights are 0 in every head."""
    return np.asarray((weights > 0).any(axis=(0, 1)))


def _mask(
    kind: Kind, allowed: NDArray[np.bool_], queries: Sequence[str], keys: Sequence[str]
) -> Block:
    left = MARGIN + 20 + max(width_of(token_text(token), 12) for token in queries) + 6
    top = 44 + max(width_of(token_text(token), 12) for token in keys) + 6
    title = _("{kind}: dark cells may not be looked at").format(kind=kind_names()[kind])
    marks: list[Mark] = [
        Words(MARGIN, 14, title, SIZE, bold=True),
        Words(left, 36, key_axis(), 12, KEY),
        Words(MARGIN + 10, top + CELL * len(queries), query_axis(), 12, QUERY, turned=True),
    ]
    for row, name in enumerate(queries):
        label = token_text(name)
        marks.append(Words(left - 6, top + (row + 0.75) * CELL, label, 12, anchor="end"))
        for column, open_ in enumerate(allowed[row]):
            corner = left + column * CELL, top + row * CELL
            marks.append(Box(*corner, CELL, CELL, "#ffffff" if open_ else _SOFT, "#c9ccd4"))
    for column, name in enumerate(keys):
        label = token_text(name)
        marks.append(Words(left + (column + 0.75) * CELL, top - 6, label, 12, turned=True))
    high = max(CELL * len(queries), width_of(query_axis(), 12))
    return marks, top + high


def _heads(subject: Subject) -> list[Block]:
    """Draw all heads, layer by layer; heads that are off are dark. Draw nothing if none is off."""
    ablated = [change for change in subject.interventions if isinstance(change, AblateHead)]
    off = {(change.kind, change.layer, change.head) for change in ablated}
    if not off:
        return []
    config = runs.translator().config
    marks: list[Mark] = [
        Words(MARGIN, 14, _("Heads by layer; the dark ones are off"), SIZE, bold=True)
    ]
    x = float(MARGIN)
    for kind in KINDS:
        marks.append(Words(x, 36, kind_names()[kind], 12))
        for layer in range(config.layers(kind)):
            for head in range(config.heads):
                fill = _SOFT if (kind, layer, head) in off else "#ffffff"
                corner = x + head * CELL, 42 + layer * CELL
                marks.append(Box(*corner, CELL, CELL, fill, "#c9ccd4"))
        x += config.heads * CELL + 28
    return [(marks, 42 + CELL * max(config.layers(kind) for kind in KINDS))]
