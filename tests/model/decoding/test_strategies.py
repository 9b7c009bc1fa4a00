"""What holds for every strategy, on the Markov table."""

import math
from itertools import pairwise

import pytest
import torch

from model import Beam, Greedy, Sampling
from model.decoding.steps import Choice, Limits, Scorer, Strategy
from tests.model.decoding import markov

STRATEGIES: list[Strategy] = [
    Greedy(),
    Beam(width=1),
    Beam(width=3, length_penalty=0.0),
    Beam(),
    Sampling(seed=5),
    Sampling(temperature=0.7, top_k=3, top_p=0.9, seed=1),
]
SEEDS = range(20)


def never_ending() -> Scorer:
    logits = torch.zeros(markov.WORDS)
    logits[markov.END] = -torch.inf
    logits[3] = 1.0
    return lambda prefixes: logits.expand(len(prefixes), -1)


def pieces(choices: list[Choice]) -> tuple[int, ...]:
    return tuple(choice.chosen.id for choice in choices)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_stops_at_the_length_limit(strategy: Strategy) -> None:
    for longest in (2, 3, 8):
        limits = Limits(markov.BEGIN, markov.END, longest)
        steps = list(strategy.steps(never_ending(), limits))
        assert [len(step.prefix) for step in steps] == list(range(1, longest))
    assert list(strategy.steps(never_ending(), Limits(markov.BEGIN, markov.END, 1))) == []


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_stops_at_the_end_piece_and_only_there(strategy: Strategy) -> None:
    for seed in SEEDS:
        chosen = pieces(list(strategy.steps(markov.scorer(seed), markov.LIMITS)))
        assert markov.END not in chosen[:-1]
        assert chosen[-1] == markov.END or len(chosen) == markov.LIMITS.max_length - 1


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_each_prefix_is_the_one_before_and_what_was_chosen(strategy: Strategy) -> None:
    for seed in SEEDS:
        steps = list(strategy.steps(markov.scorer(seed), markov.LIMITS))
        assert steps[0].prefix == (markov.BEGIN,)
        for step, following in pairwise(steps):
            assert following.prefix == (*step.prefix, step.chosen.id)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_probabilities_ranks_and_alternatives_are_the_tables(strategy: Strategy) -> None:
    for seed in SEEDS:
        for step in strategy.steps(markov.scorer(seed), markov.LIMITS):
            row = markov.table(seed)[step.prefix[-1]]
            order = row.argsort(descending=True).tolist()
            assert [candidate.id for candidate in step.alternatives] == order
            assert step.rank == order.index(step.chosen.id) + 1
            for candidate in (step.chosen, *step.alternatives):
                assert candidate.log_prob == pytest.approx(float(row[candidate.id]), abs=1e-6)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_forcing_what_would_be_chosen_changes_nothing(strategy: Strategy) -> None:
    for seed in SEEDS:
        free = list(strategy.steps(markov.scorer(seed), markov.LIMITS))
        for count in range(len(free) + 1):
            forced = pieces(free)[:count]
            steps = list(strategy.steps(markov.scorer(seed), markov.LIMITS, forced))
            assert pieces(steps) == pieces(free)
            assert [step.forced for step in steps] == [i < count for i in range(len(free))]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_forced_pieces_come_first_whatever_their_probability(strategy: Strategy) -> None:
    for seed in SEEDS:
        row = markov.table(seed)[markov.BEGIN].clone()
        row[markov.END] = torch.inf
        unlikely = int(row.argmin())
        steps = list(strategy.steps(markov.scorer(seed), markov.LIMITS, (unlikely, 3)))
        assert pieces(steps)[:2] == (unlikely, 3)
        assert steps[0].alternatives[0].id != unlikely


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_a_forced_end_ends(strategy: Strategy) -> None:
    steps = list(strategy.steps(markov.scorer(0), markov.LIMITS, (3, markov.END, 3)))
    assert pieces(steps) == (3, markov.END)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
@pytest.mark.parametrize("unknown", [-1, markov.WORDS])
def test_an_unknown_forced_id_is_refused(strategy: Strategy, unknown: int) -> None:
    with pytest.raises(ValueError, match=f"no piece has the id {unknown}"):
        list(strategy.steps(markov.scorer(0), markov.LIMITS, (unknown,)))


def test_greedy_takes_the_most_probable_piece() -> None:
    for seed in SEEDS:
        for step in Greedy().steps(markov.scorer(seed), markov.LIMITS):
            assert step.rank == 1
            assert step.chosen == step.alternatives[0]
            assert step.draw is None


def test_log_probabilities_are_normalised() -> None:
    step = next(iter(Greedy().steps(markov.scorer(0), markov.LIMITS)))
    assert math.fsum(math.exp(one.log_prob) for one in step.alternatives) == pytest.approx(1)
