from types import SimpleNamespace

import pytest

from model.measures.encoder_times import encoder_times
from model.transformer.transformer import Transformer


def test_the_fastest_of_several_runs_is_given(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([0, 5, 10, 12, 20, 29, 30, 37, 40, 44, 50, 51])  # when runs begin and end
    clock = SimpleNamespace(perf_counter=lambda: next(seconds))
    monkeypatch.setattr("model.measures.encoder_times.time", clock)
    short, long = encoder_times(model, (2, 64), repeats=3)
    assert (short.length, short.milliseconds) == (2, 2000)
    assert (long.length, long.milliseconds) == (64, 1000)


def test_real_runs_take_their_time(model: Transformer) -> None:
    assert all(one.milliseconds > 0 for one in encoder_times(model, (2, 64)))


def test_a_length_that_does_not_fit_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match=r"lengths must be 1 to 64, not \[65\]"):
        encoder_times(model, (2, 65))
