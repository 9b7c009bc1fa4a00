"""Blocks left out: the change that a press on the board makes, and the boards themselves."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutReLU,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    SublayerIntervention,
)
from model.recording.recording import Recording
from model.sites.sites import STACKS, SUBLAYERS, Stack, Sublayer
from model.transformer.config import ModelConfig
from viz.components.head_board import Board, Press
from viz.figures.labels import kind_names, sublayer_names
from viz.language.text import _

PARTS: tuple[type[SublayerIntervention], ...] = (LeaveOutSublayer, LeaveOutResidual, LeaveOutNorm)
"""The parts of LayerNorm(x + Sublayer(x)) that can be left out, in the order of the columns."""

Numbers = dict[Stack, NDArray[np.float64]]
"""A number for each cell of a stack's board, (layers, columns)."""


def cells(stack: Stack, layer: int) -> list[SublayerIntervention]:
    """Return the interventions of a layer's cells, from left to right."""
    return [part(stack, layer, sublayer) for sublayer in SUBLAYERS[stack] for part in PARTS]


def part_name(part: SublayerIntervention) -> str:
    """Return a part's name as on its cell, such as "decoder, layer 1, norm after feed-forward"."""
    column = cells(part.stack, part.layer).index(part)
    name = _columns(part.stack)[column][1]
    return f"{kind_names()[part.stack]}, {_('layer')} {part.layer + 1}, {name}"


def pressed_block(press: Press, config: ModelConfig) -> tuple[Intervention, ...]:
    """Return the intervention of a press: a cell leaves out its part, a row skips its layer.

    Returns none when the model has no such cell or layer.
    """
    stack: Stack | None = next((stack for stack in STACKS if stack == press.kind), None)
    layer = press.layer
    if stack is None or layer is None or not 0 <= layer < config.layers(stack):
        return ()
    if press.head is None:
        return (SkipLayer(stack, layer),)
    row = cells(stack, layer)
    return (row[press.head],) if 0 <= press.head < len(row) else ()


def toggle(
    interventions: Sequence[Intervention], press: Press, config: ModelConfig
) -> tuple[Intervention, ...]:
    """Leave out the pressed block, or put it back."""
    pressed = pressed_block(press, config)
    others = tuple(one for one in interventions if one not in pressed)
    return others if len(others) < len(interventions) else (*others, *pressed)


def all_cells(config: ModelConfig) -> list[SublayerIntervention]:
    """Return the interventions of all cells of both boards, row by row."""
    rows: list[tuple[Stack, int]] = [
        (stack, layer) for stack in STACKS for layer in range(config.layers(stack))
    ]
    return [cell for stack, layer in rows for cell in cells(stack, layer)]


def by_stack(values: NDArray[np.float64], config: ModelConfig) -> Numbers:
    """Lay out numbers, in the order of `all_cells`, as both boards."""
    per_stack: Numbers = {}
    for stack in STACKS:
        shape = config.layers(stack), len(cells(stack, 0))
        own, values = np.split(values, [shape[0] * shape[1]])
        per_stack[stack] = own.reshape(shape)
    return per_stack


def means(values: NDArray[np.float64]) -> list[float]:
    """Return the mean of numbers, in the order of `all_cells`, for each of `PARTS`."""
    return [float(mean) for mean in values.reshape(-1, len(PARTS)).mean(axis=0)]


def all_layers(config: ModelConfig) -> list[Intervention]:
    """Return the interventions that each skip one layer, for both stacks."""
    return [SkipLayer(stack, layer) for stack in STACKS for layer in range(config.layers(stack))]


def every(sublayer: Sublayer, config: ModelConfig) -> tuple[Intervention, ...]:
    """Return the interventions that leave this sublayer out of all layers that have it."""
    return tuple(
        LeaveOutSublayer(stack, layer, sublayer)
        for stack in STACKS
        if sublayer in SUBLAYERS[stack]
        for layer in range(config.layers(stack))
    )


def every_relu(config: ModelConfig) -> tuple[Intervention, ...]:
    """Return the interventions that leave ReLU out of every feed-forward network."""
    return tuple(
        LeaveOutReLU(stack, layer) for stack in STACKS for layer in range(config.layers(stack))
    )


def lengths(recording: Recording) -> Numbers:
    """Return the length of the vectors that each part of a run hands on, as a mean over tokens.

    The parts are a sublayer's output, the residual that it is added to, and the output of the norm.
    """
    per_stack: Numbers = {}
    for stack in STACKS:
        rows = []
        for layer in range(recording.config.layers(stack)):
            vectors = []
            for number, added in enumerate(recording.additions(stack, layer), start=1):
                vectors += [added.added, added.before, recording[f"{stack}.{layer}.norm{number}"]]
            rows.append([float(np.linalg.norm(one, axis=1).mean()) for one in vectors])
        per_stack[stack] = np.array(rows)
    return per_stack


def boards(
    interventions: Sequence[Intervention],
    config: ModelConfig,
    changes: Numbers | None = None,
    lengths: Numbers | None = None,
) -> list[Board]:
    """Return a board for each stack; `changes` fill its cells, `lengths` are bars at their foot."""
    return [
        Board(
            stack,
            kind_names()[stack],
            [_signs(stack, layer, interventions) for layer in range(config.layers(stack))],
            changes[stack] if changes else None,
            columns=_columns(stack),
            bars=lengths[stack] if lengths else None,
        )
        for stack in STACKS
    ]


def _signs(stack: Stack, layer: int, interventions: Sequence[Intervention]) -> list[str]:
    """Mark the parts that are left out; a skipped layer leaves out all its parts."""
    skipped = SkipLayer(stack, layer) in interventions
    return ["✕" if skipped or cell in interventions else "" for cell in cells(stack, layer)]


def _columns(stack: Stack) -> list[tuple[str, str, str]]:
    """Return the usual, the full and the short name of each column."""
    names: dict[Sublayer, tuple[str, str]] = {
        "self_attn": (_("attention"), _("attn")),
        "cross_attn": (_("cross"), _("cross")),
        "ffn": ("FFN", "FFN"),
    }
    columns: list[tuple[str, str, str]] = []
    for sublayer in SUBLAYERS[stack]:
        name = sublayer_names()[sublayer]
        columns += [
            (names[sublayer][0], name, names[sublayer][1]),
            (_("+ input"), _("residual around {sublayer}").format(sublayer=name), "+x"),
            (_("norm"), _("norm after {sublayer}").format(sublayer=name), "LN"),
        ]
    return columns
