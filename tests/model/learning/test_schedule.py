import math

import pytest

from model.learning.schedule import learning_rate, paper_learning_rate

PEAK, WARMUP, DECAY, STEPS = 4e-3, 10, 30, 100


def rates(steps: int = STEPS) -> list[float]:
    return [learning_rate(step, PEAK, WARMUP, DECAY, steps) for step in range(steps)]


def test_it_rises_in_equal_steps_and_stays_at_the_peak() -> None:
    found = rates()
    assert found[:10] == pytest.approx([PEAK * (step + 1) / 10 for step in range(10)])
    assert found[9:71] == [PEAK] * 62


def test_it_falls_in_equal_steps_towards_zero() -> None:
    found = rates()
    assert found[70:] == pytest.approx([PEAK * (30 - step) / 30 for step in range(30)])
    assert found[-1] > 0
    assert learning_rate(STEPS, PEAK, WARMUP, DECAY, STEPS) == 0


def test_a_longer_run_starts_the_same() -> None:
    assert rates(200)[:70] == rates()[:70]


def test_without_warm_up_or_decay_it_is_constant() -> None:
    assert {learning_rate(step, PEAK, 0, 0, 50) for step in range(50)} == {PEAK}


def test_a_run_shorter_than_its_warm_up_never_exceeds_the_decay() -> None:
    found = [learning_rate(step, PEAK, 400, 10, 20) for step in range(21)]
    assert found[20] == 0
    assert all(0 <= rate < PEAK / 10 for rate in found)


@pytest.mark.parametrize(("d_model", "warmup"), [(512, 4000), (256, 400)])
def test_the_papers_rate_is_equation_3(d_model: int, warmup: int) -> None:
    for step in (1, 2, warmup - 1, warmup, warmup + 1, 100_000):
        expected = 1 / math.sqrt(d_model) * min(1 / math.sqrt(step), step / math.sqrt(warmup**3))
        assert paper_learning_rate(step, d_model, warmup) == pytest.approx(expected)


def test_the_papers_rate_is_highest_where_the_warm_up_ends() -> None:
    found = [paper_learning_rate(step, 512, 400) for step in range(1, 2000)]
    assert found.index(max(found)) + 1 == 400
    assert found[0] == pytest.approx(found[399] / 400)
    assert paper_learning_rate(1600, 512, 400) == pytest.approx(max(found) / 2)


@pytest.mark.parametrize("wrong", [(0, 512, 4000), (1, 0, 4000), (1, 512, 0)])
def test_the_papers_rate_refuses_what_it_cannot_divide_by(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1, not 0"):
        paper_learning_rate(*wrong)
