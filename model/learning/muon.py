"""The optimizer Muon, computed in the precision that the machine has."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.optim.optimizer import ParamsT

QUINTIC = (3.4445, -4.7750, 2.0315)
"""Coefficients of the Newton-Schulz iteration (Keller Jordan, "Muon", 2024)."""


def quick_precision() -> torch.dtype:
    """Return the type that this machine's processor multiplies fast: bfloat16 or float32."""
    fast = torch.cpu.get_capabilities().get("avx512_bf16", False)
    return torch.bfloat16 if fast else torch.float32


def orthogonalized(update: Tensor, precision: torch.dtype, steps: int = 5) -> Tensor:
    """Bring the singular values of matrices (N, R, C), or of one matrix (R, C), near to 1.

    By Newton-Schulz; they are multiplied in this precision.
    """
    if update.dim() == 2:
        return orthogonalized(update[None], precision, steps)[0]
    a, b, c = QUINTIC
    tall = update.size(1) > update.size(2)
    matrices = (update.mT if tall else update).to(precision)
    matrices = matrices / matrices.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(steps):
        gram = matrices @ matrices.mT
        grown = torch.baddbmm(gram, gram, gram, beta=b, alpha=c)
        matrices = torch.baddbmm(matrices, grown, matrices, beta=a)
    return matrices.mT if tall else matrices


class Muon(torch.optim.Muon):
    """torch's Muon, with updates scaled to AdamW's, in a precision of the caller's choice.

    torch always multiplies in bfloat16. A processor without instructions for bfloat16 then takes
    40 s instead of 1 s for the matrices of one step of the shipped model.
    """

    def __init__(self, params: ParamsT, lr: float, weight_decay: float) -> None:
        """Take groups of matrices, as torch's Muon does."""
        super().__init__(params, lr, weight_decay, adjust_lr_fn="match_rms_adamw")

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Take a step for every matrix that has a gradient; equal shapes are stepped together."""
        loss = closure() if closure else None
        for group in self.param_groups:
            alike: defaultdict[torch.Size, list[Tensor]] = defaultdict(list)
            for matrix in group["params"]:
                if matrix.grad is not None:
                    alike[matrix.shape].append(matrix)
            for matrices in alike.values():
                self._step(matrices, group)
        return loss

    def _step(self, matrices: list[Tensor], group: dict[str, Any]) -> None:
        updates = []
        for matrix in matrices:
            assert matrix.grad is not None
            state = self.state[matrix]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(matrix)
            past = state["momentum_buffer"].lerp_(matrix.grad, 1 - group["momentum"])
            updates.append(matrix.grad.lerp(past, group["momentum"]))
        precision = torch.bfloat16 if matrices[0].is_cuda else quick_precision()
        orthogonal = orthogonalized(torch.stack(updates), precision)
        rate = group["lr"]
        for matrix, update in zip(matrices, orthogonal, strict=True):
            matrix.mul_(1 - rate * group["weight_decay"])
            matrix.add_(update, alpha=-rate * 0.2 * max(matrix.shape) ** 0.5)
