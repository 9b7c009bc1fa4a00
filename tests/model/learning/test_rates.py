import pytest

from model.learning.rates import paper_rates


def test_the_rate_rises_for_so_many_steps_and_falls_with_the_root_of_the_step() -> None:
    rates = paper_rates(40, d_model=64, warmup=10)
    assert rates.shape == (40,)
    peak = 64**-0.5 * 10**-0.5
    assert rates[9] == rates.max() == pytest.approx(peak)
    assert rates[:10] == pytest.approx([peak * step / 10 for step in range(1, 11)])
    assert rates[10:] == pytest.approx([64**-0.5 * step**-0.5 for step in range(11, 41)])
