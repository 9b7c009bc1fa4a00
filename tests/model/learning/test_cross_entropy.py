import pytest
import torch
from torch.nn import functional

from model.learning.cross_entropy import smoothed_cross_entropy

IGNORED = 0


@pytest.fixture
def logits() -> torch.Tensor:
    torch.manual_seed(0)
    return 5 * torch.randn(40, 17)  # N V


@pytest.fixture
def targets() -> torch.Tensor:
    return torch.arange(40) % 17  # N, three of them ignored


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_loss_and_gradient_are_torchs(
    logits: torch.Tensor, targets: torch.Tensor, smoothing: float
) -> None:
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = smoothed_cross_entropy(ours, targets, smoothing, IGNORED)
    expected = functional.cross_entropy(
        theirs, targets, label_smoothing=smoothing, ignore_index=IGNORED
    )
    torch.testing.assert_close(loss, expected)
    (3 * loss).backward()
    (3 * expected).backward()
    torch.testing.assert_close(ours.grad, theirs.grad)


def test_ignored_targets_get_no_gradient(logits: torch.Tensor, targets: torch.Tensor) -> None:
    logits.requires_grad_()
    smoothed_cross_entropy(logits, targets, 0.1, IGNORED).backward()
    assert logits.grad is not None
    assert logits.grad.any(dim=1).tolist() == (targets != IGNORED).tolist()


def test_the_logits_stay_as_they_were(logits: torch.Tensor, targets: torch.Tensor) -> None:
    before = logits.clone()
    smoothed_cross_entropy(logits, targets, 0.1, IGNORED)
    assert torch.equal(logits, before)


def test_half_precision_logits_lose_nothing_but_their_own_digits(
    logits: torch.Tensor, targets: torch.Tensor
) -> None:
    rounded = logits.bfloat16().requires_grad_()
    loss = smoothed_cross_entropy(rounded, targets, 0.1, IGNORED)
    expected = functional.cross_entropy(
        rounded.detach().float(), targets, label_smoothing=0.1, ignore_index=IGNORED
    )
    torch.testing.assert_close(loss, expected)
    loss.backward()
    assert rounded.grad is not None
    assert rounded.grad.dtype == torch.bfloat16


def test_huge_logits_stay_finite() -> None:
    logits = torch.tensor([[1e4, -1e4, 0.0]], requires_grad=True)
    loss = smoothed_cross_entropy(logits, torch.tensor([1]), 0.1, IGNORED)
    loss.backward()
    assert loss.isfinite()
    assert logits.grad is not None
    assert logits.grad.isfinite().all()
