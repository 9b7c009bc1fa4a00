"""What fewer bits and fewer weights do to a model: its size, its translations, its attention.

`python -m model.measures.smaller DEV.tsv.gz --checkpoints en-fr` measures it on the first pairs of
a file that training has not seen, and writes smaller.json beside the weights.
"""

import argparse
import copy
import gzip
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.checkpoints.card import SMALLER
from model.checkpoints.checkpoint import write_whole
from model.checkpoints.files import read_json
from model.command import command
from model.measures.moved import moved_share
from model.measures.quality import bleu, chrf
from model.sites.sites import KINDS
from model.translator import Translator, load_translator

Method = Literal["whole", "quantised", "pruned"]
BITS = (8, 6, 5, 4, 3, 2)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LOOKED_AT = 20
"""Sentences whose attention is compared: recording takes far longer than translating."""


@dataclass(frozen=True)
class Smaller:
    """A model made smaller: `amount` is bits a weight, or the share of weights that are gone.

    `bleu` and `chrf` are those of its translations, `moved` the mean share of attention that has
    moved, from 0 to 1, when it is given the translations of the whole model.
    """

    method: Method
    amount: float
    size: int
    bleu: float
    chrf: float
    moved: float


@dataclass(frozen=True)
class Measured:
    """All that was measured of a model: the whole one first; how many sentences, and how."""

    rows: tuple[Smaller, ...]
    sentences: int
    command: str


def quantised(matrix: Tensor, bits: int) -> Tensor:
    """Round a matrix to so many bits, the largest of each row's numbers at the end of its scale.

    Each row has a scale of its own, as usual; ValueError unless bits is 2 to 16.
    """
    if not 2 <= bits <= 16:
        raise ValueError(f"bits must be 2 to 16, not {bits}")
    most = 2 ** (bits - 1) - 1
    scale = matrix.abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / most
    return (matrix / scale).round() * scale


def pruned(matrices: Sequence[Tensor], share: float) -> list[Tensor]:
    """Set the smallest share of all numbers of all matrices to zero; ValueError beyond 0 to 1."""
    if not 0 <= share < 1:
        raise ValueError(f"share must be at least 0 and below 1, not {share}")
    sizes = torch.cat([matrix.abs().flatten() for matrix in matrices])
    gone = int(share * len(sizes))
    if not gone:
        return list(matrices)
    limit = sizes.kthvalue(gone).values
    return [matrix * (matrix.abs() > limit) for matrix in matrices]


def size(network: nn.Module, method: Method, amount: float) -> int:
    """Count the bytes of a model's weights, packed.

    Quantised: so many bits a number of a matrix and four bytes a row for its scale. Pruned: four
    bytes for each number that is left, and a bit for each that says whether it is.
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
    """Return a translator with a copy of the network made smaller; the given one stays."""
    other = copy.copy(translator)
    other.network = copy.deepcopy(translator.network)
    matrices = [weight for weight in other.network.parameters() if weight.dim() > 1]
    if method == "quantised":
        changed = [quantised(matrix, int(amount)) for matrix in matrices]
    else:
        changed = pruned(matrices, amount)
    for matrix, values in zip(matrices, changed, strict=True):
        matrix.copy_(values)
    return other


def moved(whole: Translator, other: Translator, texts: Sequence[str]) -> float:
    """Return which share of its attention a model moved, as a mean over heads and queries."""
    shares: list[float] = []
    for text in texts:
        said = whole.translate(text)
        one, two = (each.record(text, said) for each in (whole, other))
        shares += [
            float(moved_share(one.attention(kind) - two.attention(kind)).mean()) for kind in KINDS
        ]
    return float(np.mean(shares))


def measured(
    translator: Translator,
    pairs: Sequence[tuple[str, str]],
    report: Callable[[Smaller], object] = print,
) -> tuple[Smaller, ...]:
    """Translate all sources with the whole model and every smaller one; report each row."""
    texts, references = [source for source, _ in pairs], [target for _, target in pairs]
    rows: list[Smaller] = []
    plans: list[tuple[Method, float]] = [
        ("whole", 0),
        *(("quantised", bits) for bits in BITS),
        *(("pruned", share) for share in SHARES),
    ]
    for method, amount in plans:
        other = translator if method == "whole" else shrunk(translator, method, amount)
        said = [other.translate(text).text for text in texts]  # with its cache: far faster
        far = 0.0 if method == "whole" else moved(translator, other, texts[:LOOKED_AT])
        scores = round(bleu(said, references), 2), round(chrf(said, references), 2)
        taken = size(translator.network, method, amount)
        rows.append(Smaller(method, amount, taken, *scores, round(far, 4)))
        report(rows[-1])
    return tuple(rows)


def read(path: Path) -> Measured:
    """Read smaller.json; ValueError names the file when it is none."""
    values = read_json(path)
    try:
        rows = tuple(Smaller(**row) for row in values["rows"])
        return Measured(rows, int(values["sentences"]), str(values["command"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def read_pairs(path: Path, count: int) -> list[tuple[str, str]]:
    """Read the first pairs of a TSV file, packed or not; ValueError when it has none."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as lines:
        rows = [line.rstrip("\n").split("\t") for _, line in zip(range(count), lines, strict=False)]
    pairs = [(row[0], row[1]) for row in rows if len(row) > 1]
    if not pairs:
        raise ValueError(f"{path}: no pairs")
    return pairs


@command
def main() -> None:
    """Measure checkpoints and write smaller.json into their folders."""
    parser = argparse.ArgumentParser(prog="python -m model.measures.smaller", description=__doc__)
    parser.add_argument("tsv", type=Path, help="held-out pairs, source TAB target")
    parser.add_argument("--checkpoints", nargs="+", default=["en-fr"], metavar="NAME")
    parser.add_argument("--sentences", type=int, default=200)
    options = parser.parse_args()
    pairs = read_pairs(options.tsv, options.sentences)
    torch.set_num_threads(1)
    for name in options.checkpoints:
        translator = load_translator(name)
        rows = measured(translator, pairs, lambda row: print(row, flush=True))
        found: dict[str, Any] = {
            "command": f"python -m model.measures.smaller {options.tsv.name} "
            f"--sentences {options.sentences} --checkpoints {translator.folder.name}",
            "sentences": len(pairs),
            "rows": [asdict(row) for row in rows],
        }
        write_whole(translator.folder / SMALLER, (json.dumps(found, indent=1) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
