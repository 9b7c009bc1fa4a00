"""Heads switched off: the change that a press on the board makes, and the boards themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.heads import MODE_WORDS, MODES, AblateHead, Mode
from model.measures.importance import Importance
from model.sites.sites import KINDS, Head, Kind
from model.transformer.config import ModelConfig
from viz.components.head_board import Board, Press
from viz.components.miniatures import Miniatures
from viz.figures.labels import kind_names
from viz.language.text import _
from viz.link import edits
from viz.shell.intervention_words import said
from viz.shell.off_heads import SIGNS, off_heads


def mode_names() -> dict[str, str]:
    """Return the texts of the ways to switch off, each with its sign, by their names in links."""
    return {str(mode): f"{sign}  {said(MODE_WORDS[mode])}" for mode, sign in SIGNS.items()}


def mode_of(name: str) -> Mode:
    """Return the mode of a name; "zero" for an unknown name."""
    modes: dict[str, Mode] = {str(mode): mode for mode in MODES}
    return modes.get(name, "zero")


def toggle(
    interventions: Sequence[Intervention], press: Press, mode: Mode, config: ModelConfig
) -> tuple[Intervention, ...]:
    """Switch the pressed heads off in this mode, or on again if all are off in this mode."""
    pressed = set(_places(press, config))
    off = [AblateHead(kind, layer, head, mode) for kind, layer, head in sorted(pressed)]
    others = [one for one in interventions if _place(one) not in pressed]
    return tuple(others) if set(off) <= set(interventions) else (*others, *off)


def in_mode(interventions: Sequence[Intervention], mode: Mode) -> tuple[Intervention, ...]:
    """Return the interventions with all heads that are off switched to this mode."""
    return tuple(
        replace(one, mode=mode) if isinstance(one, AblateHead) else one for one in interventions
    )


def keep_only(
    interventions: Sequence[Intervention], press: Press, mode: Mode, config: ModelConfig
) -> tuple[Intervention, ...]:
    """Switch off all heads except the pressed heads."""
    kept = set(_places(press, config))
    boards = [Press(kind, None, None) for kind in KINDS]
    every = [head for board in boards for head in _places(board, config)]
    off = [AblateHead(*head, mode) for head in every if head not in kept]
    return edits.replaced(interventions, AblateHead, off)


def least_off(interventions: Sequence[Intervention], importance: Importance, mode: Mode) -> int:
    """Return how many heads are off if these are exactly the least important heads; otherwise 0."""
    off = set(edits.of_kind(interventions, AblateHead))
    return len(off) if off == set(importance.least(len(off), mode)) else 0


def least_title() -> str:
    """Say what the slider of the least important heads does."""
    return _("Switch off the heads that change the log-probability least, up or down")


def changes(importance: Importance) -> dict[Kind, NDArray[np.float64]]:
    """Return the change of the log-probability (nats) without each head (L, H), of each kind."""
    return {kind: -falls for kind, falls in importance.falls.items()}


def every(kind: Kind, config: ModelConfig, mode: Mode) -> tuple[Intervention, ...]:
    """Return the interventions that switch off all heads of a kind."""
    return tuple(AblateHead(*head, mode) for head in _places(Press(kind, None, None), config))


def extreme(
    falls: Mapping[Kind, NDArray[np.float64]], mode: Mode, sign: int
) -> tuple[Intervention, ...] | None:
    """Switch off the head whose loss alone costs most (`sign` 1) or gains most (-1).

    `falls` (L, H) of each kind are falls of the log-probability without a head. Returns None when
    no loss costs, or gains, anything.
    """
    signed: dict[Kind, NDArray[np.float64]] = {
        kind: sign * values for kind, values in falls.items()
    }
    kind = max(signed, key=lambda one: signed[one].max())
    layer, head = np.unravel_index(signed[kind].argmax(), signed[kind].shape)
    if signed[kind].max() <= 0:
        return None
    return (AblateHead(kind, int(layer), int(head), mode),)


def boards(
    interventions: Sequence[Intervention],
    config: ModelConfig,
    values: dict[Kind, NDArray[np.float64]] | None = None,
    pictures: Miniatures | None = None,
) -> list[Board]:
    """Return the boards of all kinds with the pictures of all heads; `values` frame their cells."""
    signs = off_heads(interventions, config)
    return [
        Board(
            kind,
            kind_names()[kind],
            [
                [signs.get(Head(kind, layer, head), "") for head in range(config.heads)]
                for layer in range(config.layers(kind))
            ],
            values[kind] if values else None,
            picture=(pictures or {}).get(kind),
        )
        for kind in KINDS
    ]


def _place(one: Intervention) -> tuple[Kind, int, int] | None:
    return (one.kind, one.layer, one.head) if isinstance(one, AblateHead) else None


def _places(press: Press, config: ModelConfig) -> list[tuple[Kind, int, int]]:
    """List the heads that were pressed; none when the model has no such layer or head."""
    layers = range(config.layers(press.kind))
    return [
        (press.kind, layer, head)
        for layer in layers
        for head in range(config.heads)
        if press.layer in (None, layer) and press.head in (None, head)
    ]
