"""Cross-entropy with label smoothing (section 5.4), lean enough for a CPU."""

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx


class _SmoothedCrossEntropy(torch.autograd.Function):
    """The gradient is known in closed form, so it is made in the forward pass, in one buffer."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, logits: Tensor, targets: Tensor, smoothing: float, ignored: int
    ) -> Tensor:
        log_probs = logits.to(torch.float32, copy=True)  # N V
        log_probs.sub_(log_probs.logsumexp(dim=-1, keepdim=True))  # N V
        kept = (targets != ignored).unsqueeze(1)  # N 1
        picked = log_probs.gather(1, targets.unsqueeze(1))  # N 1
        smooth = log_probs.mean(dim=-1, keepdim=True)  # N 1
        losses = -(1 - smoothing) * picked - smoothing * smooth  # N 1
        gradient = log_probs.exp_().sub_(smoothing / logits.size(1))  # N V
        gradient.scatter_add_(1, targets.unsqueeze(1), torch.full_like(picked, smoothing - 1))
        gradient.mul_(kept / kept.sum())
        ctx.save_for_backward(gradient.to(logits.dtype))
        return losses.mul(kept).sum() / kept.sum()

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors  # pyright: ignore[reportAttributeAccessIssue]
        return gradient * grads[0].to(gradient.dtype), None, None, None


def smoothed_cross_entropy(
    logits: Tensor, targets: Tensor, smoothing: float, ignored: int
) -> Tensor:
    """Mean cross-entropy of logits (N, V) against ids (N,) in nats; the id `ignored` counts not.

    Equal to torch's `cross_entropy` with `label_smoothing` and `ignore_index`, in a fraction of
    its time on a CPU.
    """
    return _SmoothedCrossEntropy.apply(logits, targets, smoothing, ignored)  # pyright: ignore
