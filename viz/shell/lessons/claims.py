"""Measures that settle common claims about the Transformer on a recording."""

import numpy as np
from numpy.typing import NDArray

from viz.compute import weights
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form, effect_of


def _sinusoids(positions: NDArray[np.float32], base: float) -> NDArray[np.float64]:
    """Return a table of the same shape (length, width) by section 3.5 of the paper, with a base."""
    length, width = positions.shape
    angles = np.arange(length)[:, None] / base ** (np.arange(0, width, 2) / width)
    table = np.empty((length, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : width // 2]
    return table


def _positions(subject: Subject) -> NDArray[np.float32]:
    return effect_of(subject).before.recording["encoder.positions"]


def _position_error(subject: Subject, base: str) -> float:
    positions = _positions(subject)
    return float(np.abs(positions - _sinusoids(positions, float(base))).max())


def _position_factor(subject: Subject) -> float:
    positions = _positions(subject)
    length = np.linalg.norm(_sinusoids(positions, 10000.0))
    return float(np.linalg.norm(positions) / length)


def _embedding_factor(subject: Subject) -> float:
    recording = effect_of(subject).before.recording
    rows = weights.vocabulary().embedding[list(recording.source_ids)]
    return float(np.linalg.norm(recording["encoder.embedding"]) / np.linalg.norm(rows))


def _norm_error(subject: Subject, divisor: str) -> float:
    """Return the largest error if the first LayerNorm divides by this: deviation or variance."""
    recording = effect_of(subject).before.recording
    added = next(iter(recording.additions("encoder", 0)))
    x = added.before.astype(np.float64) + added.added
    variance = x.var(axis=-1, keepdims=True)
    by = {"deviation": np.sqrt(variance + 1e-5), "variance": variance}[divisor]
    scale, shift = (
        weights.parameter(f"encoder.layers.0.norm1.{part}") for part in ("weight", "bias")
    )
    return float(
        np.abs(
            recording["encoder.0.norm1"] - ((x - x.mean(-1, keepdims=True)) / by * scale + shift)
        ).max()
    )


def _by_deviation(subject: Subject) -> float:
    return _norm_error(subject, "deviation")


def _by_variance(subject: Subject) -> float:
    return _norm_error(subject, "variance")


def _layers(subject: Subject) -> float:
    return float(effect_of(subject).before.recording.config.encoder_layers)


def _heads(subject: Subject) -> float:
    return float(effect_of(subject).before.recording.config.heads)


FORMS: tuple[Form, ...] = (
    Form("largest position error with base <base>", "error", _position_error),
    Form("factor of the positions", ".2f", _position_factor),
    Form("factor of the embedding", ".2f", _embedding_factor),
    Form("largest error dividing by the deviation", "error", _by_deviation),
    Form("largest error dividing by the variance", "error", _by_variance),
    Form("layers", ".0f", _layers),
    Form("heads", ".0f", _heads),
)
