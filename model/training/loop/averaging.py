"""The mean of a run's last saved weights, which varies less than each of them.

Section 6.1 of "Attention Is All You Need" averages the last five checkpoints. Here their number is
`settings.average`.
"""

import io
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.checkpoint import write_whole


def average(folder: Path, step: int, weights: dict[str, Tensor], count: int) -> dict[str, Tensor]:
    """Keep a step's weights in the run's folder; return the mean of the last `count` kept.

    At most `count` of them are stored, in half precision, as in a checkpoint. Weights of later
    steps, left over from before the run was resumed, are deleted.
    """
    content = io.BytesIO()
    torch.save({name: tensor.half() for name, tensor in weights.items()}, content)
    write_whole(folder / _name(step), content.getvalue())
    steps = sorted(int(path.stem.partition("-")[2]) for path in folder.glob(_name("*")))
    last = [saved_step for saved_step in steps if saved_step <= step][-count:]
    for old_step in set(steps) - set(last):
        (folder / _name(old_step)).unlink()
    saved = [torch.load(folder / _name(saved_step), weights_only=True) for saved_step in last]
    return {
        name: torch.stack([state[name].float() for state in saved]).mean(0) for name in saved[0]
    }


def forget(folder: Path) -> None:
    """Delete the weights that another run left in this folder."""
    for path in folder.glob(_name("*")):
        path.unlink()


def _name(step: int | str) -> str:
    return f"weights-{step}.pt"
