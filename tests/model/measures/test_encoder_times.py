import pytest

from model.measures.encoder_times import encoder_times
from model.transformer.transformer import Transformer


def test_a_longer_source_takes_longer(model: Transformer) -> None:
    short, long = encoder_times(model, (2, 64), repeats=3)
    assert (short.length, long.length) == (2, 64)
    assert 0 < short.milliseconds < long.milliseconds


def test_a_length_that_does_not_fit_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match=r"lengths must be 1 to 64, not \[65\]"):
        encoder_times(model, (2, 65))
