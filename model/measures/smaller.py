"""The effects of fewer bits and fewer weights on a model: size, translations, attention.

`python -m model.training.smaller` measures them and writes smaller.json beside the weights.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.checkpoints.files import read_json
from model.measures.moved import moved_share
from model.sites.sites import KINDS
from model.translator import Translator

Method = Literal["whole", "quantised", "pruned"]


@dataclass(frozen=True)
class Smaller:
    """A smaller model: `amount` is the bits per weight, or the share of removed weights.

    `bleu` and `chrf` score its translations. `moved` is the mean share of attention that has moved,
    from 0 to 1, on the translations of the whole model.
    """

    method: Method
    amount: float
    size: int
    bleu: float
    chrf: float
    moved: float


@dataclass(frozen=True)
class Measured:
    """All measures, the whole model first, with the number of sentences and the command."""

    rows: tuple[Smaller, ...]
    sentences: int
    command: str


def quantised(matrix: Tensor, bits: int) -> Tensor:
    """Round a matrix to `bits` bits; the largest number of each row is the end of its scale.

    Each row has its own scale, as usual. Raises ValueError unless bits is 2 to 16.
    """
    if not 2 <= bits <= 16:
        raise ValueError(f"bits must be 2 to 16, not {bits}")
    most = 2 ** (bits - 1) - 1
    scale = matrix.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / most
    return (matrix / scale).round() * scale


def pruned(matrices: Sequence[Tensor], share: float) -> list[Tensor]:
    """Set the smallest share of all numbers in all matrices to zero; ValueError beyond 0 to 1."""
    if not 0 <= share < 1:
        raise ValueError(f"share must be at least 0 and below 1, not {share}")
    sizes = torch.cat([matrix.abs().flatten() for matrix in matrices])
    gone = int(share * len(sizes))
    if not gone:
        return list(matrices)
    limit = sizes.kthvalue(gone).values
    return [matrix * (matrix.abs() > limit) for matrix in matrices]


def size(network: nn.Module, method: Method, amount: float) -> int:
    """Count the bytes of a model's packed weights.

    A quantised model takes `amount` bits for each number of a matrix, and four bytes for the scale
    of each row. A pruned model takes four bytes for each number that is left, and a bit for every
    number to mark those left.
    """
    shapes = [weight.shape for weight in network.parameters()]
    numbers = sum(shape.numel() for shape in shapes if len(shape) > 1)
    rest = 4 * sum(shape.numel() for shape in shapes if len(shape) < 2)
    if method == "quantised":
        rows = sum(shape.numel() // shape[-1] for shape in shapes if len(shape) > 1)
        return rest + int(numbers * amount / 8) + 4 * rows
    if method == "pruned":
        return rest + 4 * (numbers - int(amount * numbers)) + numbers // 8
    return rest + 4 * numbers


@torch.no_grad()
def shrunk(translator: Translator, method: Method, amount: float) -> Translator:
    """Return a translator with a smaller copy of the network; the given translator stays."""
    smaller = copy.copy(translator)
    smaller.network = copy.deepcopy(translator.network)
    matrices = [weight for weight in smaller.network.parameters() if weight.dim() > 1]
    if method == "quantised":
        changed = [quantised(matrix, int(amount)) for matrix in matrices]
    else:
        changed = pruned(matrices, amount)
    for matrix, values in zip(matrices, changed, strict=True):
        matrix.copy_(values)
    return smaller


def moved(whole: Translator, other: Translator, texts: Sequence[str]) -> float:
    """Return the share of a model's attention that moved, as a mean over heads and queries."""
    shares: list[float] = []
    for text in texts:
        translation = whole.translate(text)
        usual, changed = (translator.record(text, translation) for translator in (whole, other))
        shares += [
            float(moved_share(usual.attention(kind) - changed.attention(kind)).mean())
            for kind in KINDS
        ]
    return float(np.mean(shares))


def read(path: Path) -> Measured:
    """Read smaller.json; ValueError names the file when it is damaged."""
    values = read_json(path)
    try:
        rows = tuple(Smaller(**row) for row in values["rows"])
        return Measured(rows, int(values["sentences"]), str(values["command"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
