"""Seeded recordings for the explorer's tests, with heads that do recognisable things."""

import numpy as np
from numpy.typing import NDArray

from viz.shared.attention_explorer.recording import ExplorerRecording

SPECIAL = frozenset({"<s>", "</s>", "<pad>", "<unk>"})


def pieces(text: str) -> tuple[str, ...]:
    """Cut a text at its spaces."""
    return tuple(text.split())


SOURCE = pieces("▁The ▁animal ▁did n ' t ▁cross ▁the ▁street ▁be cause ▁it ▁was ▁tired . </s>")
TARGET = pieces("<s> ▁L ' animal ▁n ' a ▁pas ▁travers é ▁la ▁rue ▁car ▁il ▁était ▁fatigué .")


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float32]:
    """Turn scores (..., S) into weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


def heads(
    layers: int, count: int, queries: int, keys: int, seed: int, causal: bool = False
) -> NDArray[np.float32]:
    """Make heads that look back, ahead, at themselves, at the ends, along the diagonal ..."""
    generator = np.random.default_rng(seed)
    row, column = np.arange(queries)[:, None], np.arange(keys)[None, :]
    along = np.abs(column - row * (keys - 1) / max(queries - 1, 1))
    habits = [column == row - 1, column == row + 1, column == row, column == 0, column == keys - 1]
    scores = generator.normal(size=(layers, count, queries, keys)) * 1.5
    for layer in range(layers):
        for head in range(count):
            habit = (layer * 3 + head) % 8
            if habit < len(habits):
                scores[layer, head] += 5.0 * habits[habit]
            elif habit < 7:
                scores[layer, head] -= along * (0.5 + 0.4 * layer)
    if causal:
        scores = np.where(column > row, -np.inf, scores)
    return softmax(scores)


def recording(
    source: tuple[str, ...] = SOURCE,
    target: tuple[str, ...] = TARGET,
    layers: tuple[int, int] = (6, 6),
    count: int = 8,
    seed: int = 0,
) -> ExplorerRecording:
    """Make a recording; `layers` are those of the encoder and of the decoder."""
    s, t = len(source), len(target)
    return ExplorerRecording(
        source_tokens=source,
        target_tokens=target,
        predicted_tokens=(*target[1:], "</s>"),
        encoder=heads(layers[0], count, s, s, seed),
        decoder=heads(layers[1], count, t, t, seed + 1, causal=True),
        cross=heads(layers[1], count, t, s, seed + 2),
        special_tokens=SPECIAL,
        sentence="The animal didn't cross the street because it was tired.",
        translation="L'animal n'a pas traversé la rue car il était fatigué.",
        checkpoint="synthetic",
        languages=("en", "fr"),
    )


def long_recording(length: int) -> ExplorerRecording:
    """Make a recording with `length` tokens a side."""
    source = (*(f"▁s{index}" for index in range(length - 1)), "</s>")
    target = ("<s>", *(f"▁t{index}" for index in range(length - 1)))
    return recording(source, target)
