"""Write the mean of several checkpoints of one shape, part by part.

`python -m model.training.mean en-fr:1,0,1 runs/a/checkpoint:0,0.4,0 runs/b/checkpoint:0,0.6,0
--dev DEV.tsv.gz --out runs/mean` writes a checkpoint with the encoder and the embeddings of en-fr
and a decoder mixed from the runs. A single number stands for all three parts. If only some
checkpoints know a piece, because it was added later (`add_pieces.py`), its vector is their mean.

Between weights trained from the same start the loss has no hill, so their mean keeps abilities of
each (Wortsman et al. 2022, "Model soups"). The history holds only the moment of the mean;
`earlier.py` puts the runs before it. The card is that of the last checkpoint with all pieces, and
lists the parts.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.checkpoint import (
    WEIGHTS,
    Checkpoint,
    find_folder,
    load_checkpoint,
    save_checkpoint,
    write_whole,
)
from model.command import command
from model.recording.history import HISTORY, pack_history
from model.training.earlier import every_fourth, record_earlier
from model.training.settings import CAUSAL, TrainingSettings

PARTS = ("encoder", "decoder", "embeddings")

EMBEDDING = "embedding.weight"


@dataclass(frozen=True)
class Ingredient:
    """A checkpoint and its shares in the encoder, the decoder and the embeddings."""

    name: str
    shares: tuple[float, ...]

    @staticmethod
    def read(text: str) -> "Ingredient":
        """Read NAME:SHARE or NAME:SHARE,SHARE,SHARE; ValueError for anything else."""
        name, _, numbers = text.rpartition(":")
        try:
            shares = tuple(map(float, numbers.split(",")))
        except ValueError:
            shares = ()
        if not name or len(shares) not in (1, len(PARTS)):
            raise ValueError(f"{text}: NAME:SHARE or NAME:SHARE,SHARE,SHARE expected")
        return Ingredient(name, (shares * len(PARTS))[: len(PARTS)])


def part_of(name: str) -> int:
    """Return a weight's place in PARTS: encoder, decoder, or the last for all else."""
    return {"encoder": 0, "decoder": 1}.get(name.partition(".")[0], 2)


def mean_of(
    weights: Sequence[dict[str, Tensor]], shares: Sequence[tuple[float, ...]]
) -> dict[str, Tensor]:
    """Return the weighted sum of weights of one shape, each part with its own shares.

    Some embeddings may have fewer rows; the mean of a row is over the embeddings that have it.
    Raises ValueError when the shares of a part do not add up to 1, shapes differ, or a row has no
    share.
    """
    for part, of_part in zip(PARTS, zip(*shares, strict=True), strict=True):
        if abs(sum(of_part) - 1) > 1e-6 or min(of_part) < 0:
            raise ValueError(f"the shares of the {part} are {of_part}, not 1 together")
    shapes = [{name: _shape(name, weight) for name, weight in some.items()} for some in weights]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("checkpoints of other shapes have no mean")
    return {
        name: _mean([some[name] for some in weights], [share[part_of(name)] for share in shares])
        for name in weights[0]
    }


def _shape(name: str, weight: Tensor) -> tuple[int, ...]:
    """Return the shape of a weight; the embedding's lacks the number of rows."""
    return tuple(weight.shape[1:] if name == EMBEDDING else weight.shape)


def _mean(weights: Sequence[Tensor], shares: Sequence[float]) -> Tensor:
    """Return the weighted mean of tensors; a row's mean is over the tensors that have it."""
    longest = max(weights, key=len)
    total, parts = torch.zeros_like(longest, dtype=torch.float32), torch.zeros(len(longest))
    for weight, share in zip(weights, shares, strict=True):
        total[: len(weight)] += share * weight.float()
        parts[: len(weight)] += share
    if not parts.all():
        raise ValueError("the only checkpoint with some of the pieces has no share of them")
    return total / parts.view(-1, *[1] * (total.dim() - 1))


def write_mean(ingredients: Sequence[Ingredient], out: Path) -> None:
    """Write the mean and its card into a folder; ValueError when checkpoints do not fit."""
    checkpoints: list[Checkpoint] = [load_checkpoint(each.name) for each in ingredients]
    pieces = [each.tokenizer.tokens(list(range(len(each.tokenizer)))) for each in checkpoints]
    longest = max(pieces, key=len)
    if any(each != longest[: len(each)] for each in pieces):
        raise ValueError("checkpoints with other pieces have no mean")
    weights = mean_of(
        [dict(each.model.state_dict()) for each in checkpoints],
        [each.shares for each in ingredients],
    )
    last = next(each for each in checkpoints[::-1] if len(each.tokenizer) == len(longest))
    parts = [
        {
            "name": find_folder(each.name).name,
            "steps": steps_in_all(checkpoint),
            "sha256": checkpoint.card.get("sha256", ""),
            **dict(zip(PARTS, each.shares, strict=True)),
        }
        for each, checkpoint in zip(ingredients, checkpoints, strict=True)
    ]
    card = {**last.card, "name": out.name, "mean": parts}
    save_checkpoint(out, last.model.config, weights, last.tokenizer, card)


def steps_in_all(checkpoint: Checkpoint) -> int:
    """Return the steps that made a checkpoint, including those of the runs before."""
    return checkpoint.card.get("steps", 0) + checkpoint.card.get("start", {}).get("steps", 0)


def remember(out: Path, dev: Path, tokens: int) -> None:
    """Record a finished model as the only moment of its history, with cuts of its carrier."""
    checkpoint = load_checkpoint(out)
    trained_with = checkpoint.card.get("settings", {})
    taught: dict[str, Any] = {name: tuple(trained_with.get(name, (0.0,))) for name in CAUSAL}
    settings = TrainingSettings(
        config=checkpoint.model.config,
        tokens=tokens,
        **taught,
        carrier_layer=trained_with.get("carrier_layer", 1),
        carrier_head=trained_with.get("carrier_head", 1),
    )
    with TemporaryDirectory() as folder:
        (Path(folder) / "0.safetensors").symlink_to((out / WEIGHTS).resolve())
        batches = every_fourth(checkpoint, settings, dev)
        history = record_earlier(Path(folder), checkpoint, settings, batches)
    write_whole(out / HISTORY, pack_history(history))


@command
def main() -> None:
    """Mix checkpoints as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m model.training.mean", description=__doc__)
    parser.add_argument("checkpoints", nargs="+", metavar="NAME:SHARES")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs for its loss")
    parser.add_argument("--tokens", type=int, default=2000, help="of a batch")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    ingredients = [Ingredient.read(text) for text in options.checkpoints]
    write_mean(ingredients, options.out)
    remember(options.out, options.dev, options.tokens)


if __name__ == "__main__":
    sys.exit(main())
