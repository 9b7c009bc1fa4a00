"""The mean of a run's last saved weights, which varies less than each of them.

Section 6.1 of "Attention Is All You Need" averages the last five checkpoints; `settings.average` is
the number here.
"""

import io
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.checkpoint import write_whole


def average(folder: Path, step: int, weights: dict[str, Tensor], count: int) -> dict[str, Tensor]:
    """Keep a step's weights in the run's folder; return the mean of the last `count` kept.

    They are stored in half precision, as in a checkpoint, and at most `count` of them. Weights of
    later steps, left from before the run was resumed, are deleted.
    """
    content = io.BytesIO()
    torch.save({name: tensor.half() for name, tensor in weights.items()}, content)
    write_whole(folder / _name(step), content.getvalue())
    steps = sorted(int(path.stem.partition("-")[2]) for path in folder.glob(_name("*")))
    last = [kept for kept in steps if kept <= step][-count:]
    for other in set(steps) - set(last):
        (folder / _name(other)).unlink()
    found = [torch.load(folder / _name(kept), weights_only=True) for kept in last]
    return {name: torch.stack([each[name].float() for each in found]).mean(0) for name in found[0]}


def forget(folder: Path) -> None:
    """Delete the weights that another run left in this folder."""
    for path in folder.glob(_name("*")):
        path.unlink()


def _name(step: int | str) -> str:
    return f"weights-{step}.pt"
