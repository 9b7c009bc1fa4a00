"""Heads that begin alike: nothing in training tells them apart."""

import numpy as np
import pytest

from model.learning.equal_heads import train_heads
from model.transformer.config import ModelConfig

SMALL = ModelConfig(
    vocab_size=12, d_model=16, heads=4, d_ff=16, encoder_layers=1, decoder_layers=1, max_length=16
)
SOURCE, TARGET = (3, 4, 5, 6, 2), (1, 7, 8, 9, 2)
STEPS = 8


def test_heads_that_begin_alike_stay_alike_while_the_loss_falls() -> None:
    found = train_heads(SMALL, SOURCE, TARGET, STEPS, 0.0)
    assert found.likeness == pytest.approx(np.ones(STEPS + 1), abs=1e-9)
    assert found.losses[-1] < found.losses[0]


def test_random_heads_are_not_alike() -> None:
    found = train_heads(SMALL, SOURCE, TARGET, STEPS, None)
    assert np.abs(found.likeness).max() < 0.2
    assert found.losses[-1] < found.losses[0]


def test_heads_that_differ_a_little_grow_apart() -> None:
    found = train_heads(SMALL, SOURCE, TARGET, STEPS, 0.2)
    assert 0.9 < found.likeness[0] < 1
    assert found.likeness[-1] < found.likeness[0]


def test_a_side_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="16"):
        train_heads(SMALL, (3,) * 17, TARGET, 1, 0.0)
