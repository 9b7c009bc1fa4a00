"""The mean of a run's last saved weights, which wavers less than each of them.

Section 6.1 of "Attention Is All You Need" averages the last five checkpoints; `settings.average`
says how many here. A run that goes on from other weights can keep a share of those, too.
"""

import io
from pathlib import Path

import torch
from torch import Tensor

from model.checkpoints.checkpoint import write_whole


def average(folder: Path, step: int, weights: dict[str, Tensor], count: int) -> dict[str, Tensor]:
    """Keep a step's weights in the run's folder; return the mean of the last `count` kept.

    They are kept in half precision, as a checkpoint has them, and no more than `count` of them.
    What a run left there of later steps, from before it was resumed, goes too.
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


def mixed(weights: dict[str, Tensor], start: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return weights that are, for a share from 0 to 1, those that the run went on from.

    Between the two lies no hill, so what is forgotten comes back sooner than what was learned goes
    (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"). What the start did not have
    in this shape stays as it is.
    """
    found = {name: start.get(name, tensor) for name, tensor in weights.items()}
    return {
        name: tensor.lerp(found[name].to(tensor), share)
        if found[name].shape == tensor.shape
        else tensor
        for name, tensor in weights.items()
    }


def forget(folder: Path) -> None:
    """Delete what another run has kept in this folder."""
    for path in folder.glob(_name("*")):
        path.unlink()


def _name(step: int | str) -> str:
    return f"weights-{step}.pt"
