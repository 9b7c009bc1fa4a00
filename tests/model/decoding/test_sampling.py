"""Sampling draws what it says, as often as it says."""

import itertools
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from model import Sampling
from model.decoding.steps import Limits
from tests.model.decoding import markov

RUNS = 20
DRAWS = 4000
CHI_SQUARE_999 = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47}
"""What chi-square exceeds once in a thousand times, by degrees of freedom."""


def plain_distribution(log_probs: Tensor, settings: Sampling) -> dict[int, float]:
    """Compute the truncated distribution by hand, in plain Python."""
    weights = {i: float(p) ** (1 / settings.temperature) for i, p in enumerate(log_probs.exp())}
    order = sorted(weights, key=lambda i: -weights[i])[: settings.top_k or None]
    total = sum(weights[i] for i in order)
    kept, mass = [], 0.0
    for i in order:
        kept.append(i)
        mass += weights[i] / total
        if mass >= settings.top_p:
            break
    total = sum(weights[i] for i in kept)
    return {i: weights[i] / total for i in kept}


SETTINGS = [
    Sampling(seed=11),
    Sampling(temperature=0.5, seed=12),
    Sampling(temperature=2.5, seed=13),
    Sampling(top_k=3, seed=14),
    Sampling(top_p=0.8, seed=15),
    Sampling(temperature=1.7, top_k=4, top_p=0.9, seed=16),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=repr)
def test_reshaped_distribution_is_the_plain_one(settings: Sampling) -> None:
    for seed in range(30):
        row = markov.table(seed)[0].double()
        probabilities, ids = settings.reshape(row)
        expected = plain_distribution(row, settings)
        assert dict(zip(ids.tolist(), probabilities.tolist(), strict=True)) == pytest.approx(
            expected
        )


@pytest.mark.parametrize("settings", SETTINGS, ids=repr)
def test_frequencies_match_the_distribution(settings: Sampling) -> None:
    """Some runs over a table of equal rows make thousands of independent draws."""
    row = markov.table(3)[0].clone()
    row[markov.END] = -torch.inf
    row = row.log_softmax(dim=0)
    drawn: list[int] = []
    for seed in range(RUNS):
        steps = replace(settings, seed=100 * settings.seed + seed).steps(
            lambda prefixes: row.expand(len(prefixes), -1),
            Limits(markov.BEGIN, markov.END, DRAWS // RUNS + 2),
        )
        drawn += [step.chosen.id for step in itertools.islice(steps, DRAWS // RUNS)]
    expected = plain_distribution(row.double(), settings)
    likely = {i: p for i, p in expected.items() if p > 0}
    assert set(drawn) <= set(likely)
    statistic = sum((drawn.count(i) - DRAWS * p) ** 2 / (DRAWS * p) for i, p in likely.items())
    assert statistic < CHI_SQUARE_999[len(likely) - 1]


def test_same_seed_same_pieces_and_another_seed_others() -> None:
    limits = Limits(markov.BEGIN, -1, 40)

    def run(seed: int) -> list[int]:
        steps = Sampling(seed=seed).steps(markov.scorer(1), limits)
        return [step.chosen.id for step in steps]

    assert run(4) == run(4)
    assert run(4) != run(5)


def test_draws_do_not_depend_on_the_settings_or_on_what_is_forced() -> None:
    limits = Limits(markov.BEGIN, -1, 12)
    runs = [
        Sampling(seed=9).steps(markov.scorer(1), limits),
        Sampling(temperature=0.3, top_k=2, top_p=0.5, seed=9).steps(markov.scorer(1), limits),
        Sampling(seed=9).steps(markov.scorer(1), limits, (2, 2, 3)),
    ]
    draws = [[step.draw for step in run] for run in runs]
    assert draws[0] == draws[1] == draws[2]
    assert all(draw is not None and 0 <= draw < 1 for draw in draws[0])


def test_a_draw_falls_into_the_slice_of_the_piece_taken() -> None:
    settings = Sampling(temperature=1.3, seed=2)
    for step in settings.steps(markov.scorer(2), Limits(markov.BEGIN, -1, 50)):
        probabilities, ids = settings.reshape(markov.table(2)[step.prefix[-1]].double())
        place = ids.tolist().index(step.chosen.id)
        ends = probabilities.cumsum(dim=0)
        assert step.draw is not None
        assert float(ends[place] - probabilities[place]) <= step.draw <= float(ends[place])


def test_the_least_of_top_k_and_top_p_is_the_most_probable_piece() -> None:
    for settings in (Sampling(top_k=1, seed=1), Sampling(top_p=1e-9, seed=1)):
        assert all(step.rank == 1 for step in settings.steps(markov.scorer(6), markov.LIMITS))


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"temperature": 0.0}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"top_k": -1}, "top_k"),
        ({"top_p": 0.0}, "top_p"),
        ({"top_p": 1.1}, "top_p"),
        ({"seed": -1}, "seed"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, float], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Sampling(**settings)  # pyrefly: ignore[bad-argument-type]


QUARTERS = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)


def test_a_nucleus_ends_where_its_pieces_reach_top_p_exactly() -> None:
    probabilities, ids = Sampling(top_p=0.5).reshape(QUARTERS.log())
    assert ids.tolist() == [0]
    assert probabilities.tolist() == [1.0]


@pytest.mark.parametrize(("draw", "piece"), [(0.4999, 0), (0.5, 1), (0.7499, 1), (0.75, 2), (1, 2)])
def test_a_slice_has_its_beginning_but_not_its_end(
    monkeypatch: pytest.MonkeyPatch, draw: float, piece: int
) -> None:
    """Also what lies at 1, where rounding may put the end of the last slice, has a piece."""
    monkeypatch.setattr(torch, "rand", lambda *_, **__: torch.tensor(draw, dtype=torch.float64))
    steps = Sampling().steps(lambda _: QUARTERS.log()[None], Limits(0, -1, 2))
    assert [step.chosen.id for step in steps] == [piece]
