"""The compressed distribution says, at any temperature, what the whole one says."""

import pytest
import torch

from model import Sampling
from model.decoding.odds import EXACT, odds
from model.decoding.steps import normalised


def rows(vocabulary: int) -> torch.Tensor:
    """Make rows with a heavy head and a long tail, as language models give them."""
    random = torch.Generator().manual_seed(5)
    return normalised(3 * torch.randn(6, vocabulary, generator=random))


def test_the_most_probable_pieces_are_exact() -> None:
    log_probs = rows(8000)
    values, ids = log_probs.topk(EXACT)
    packed = odds(log_probs)
    assert torch.equal(packed.log_probs, values)
    assert torch.equal(packed.ids, ids)


def test_every_piece_is_in_one_band() -> None:
    for vocabulary in (EXACT + 1, 700, 8000):
        packed = odds(rows(vocabulary))
        assert EXACT + sum(packed.sizes) == vocabulary
        assert packed.bands.shape == (6, len(packed.sizes))
        assert len(packed.sizes) < 70


def test_a_small_vocabulary_needs_no_bands() -> None:
    packed = odds(rows(20))
    assert packed.sizes == ()
    assert packed.log_probs.shape == (6, 20)
    assert packed.bands.shape == (6, 0)


@pytest.mark.parametrize("temperature", [0.2, 0.7, 1.0, 1.4, 2.0])
def test_the_odds_at_other_temperatures_follow(temperature: float) -> None:
    log_probs = rows(8000)
    packed = odds(log_probs)
    sizes = torch.tensor(packed.sizes, dtype=torch.float64)
    exact = packed.log_probs.div(temperature).exp()
    rest = (sizes * packed.bands.div(temperature).exp()).sum(dim=-1)
    for row, weights, mass in zip(log_probs, exact, rest, strict=True):
        expected, _ = Sampling(temperature=temperature).reshape(row)
        found = weights / (weights.sum() + mass)
        torch.testing.assert_close(found, expected[:EXACT], atol=5e-4, rtol=2e-3)
