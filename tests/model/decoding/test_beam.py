"""Beam search on the Markov table: against brute force, and the tree it leaves."""

import pytest
import torch
from torch import Tensor

from model import Beam, Greedy
from model.decoding import beam as beam_search
from model.decoding.beam import Node, Tree
from model.decoding.steps import Limits
from tests.model.decoding import markov
from tests.model.decoding.plain_beam import PlainBeam

SEEDS = range(20)
EVERYTHING = 5**5


def winner(tree: Tree) -> tuple[int, ...]:
    return tree.prefix(tree.winner)[1:]


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0, 2.0])
def test_full_width_finds_what_brute_force_finds(
    penalty: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beam_search, "WIDEST", EVERYTHING)
    beam = Beam(EVERYTHING, penalty)
    candidates = markov.finished_sequences(markov.LIMITS.max_length - 1)
    for seed in SEEDS:
        scores = {
            pieces: markov.log_prob(seed, pieces) / ((5 + len(pieces)) / 6) ** penalty
            for pieces in candidates
        }
        tree = beam.search(markov.scorer(seed), markov.LIMITS)
        best = max(scores, key=lambda pieces: scores[pieces])
        assert winner(tree) == best
        assert tree.nodes[tree.winner].score == pytest.approx(scores[best], abs=1e-5)


@pytest.mark.parametrize("width", [0, 51, 2000])
def test_a_search_that_never_ends_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"width must be at least 1 and at most 50, not {width}"):
        Beam(width)


def test_width_one_is_greedy() -> None:
    for seed in SEEDS:
        greedy = list(Greedy().steps(markov.scorer(seed), markov.LIMITS))
        assert list(Beam(1).steps(markov.scorer(seed), markov.LIMITS)) == greedy


def test_steps_lead_along_the_winner() -> None:
    for seed in SEEDS:
        tree = Beam(3).search(markov.scorer(seed), markov.LIMITS)
        steps = list(Beam(3).steps(markov.scorer(seed), markov.LIMITS))
        assert tuple(step.chosen.id for step in steps) == winner(tree)
        total = sum(step.chosen.log_prob for step in steps)
        assert tree.nodes[tree.winner].log_prob == pytest.approx(total)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_every_survivor_beats_every_pruned_hypothesis_of_its_length(width: int) -> None:
    for seed in SEEDS:
        nodes = Beam(width).search(markov.scorer(seed), markov.LIMITS).nodes
        for depth in {node.depth for node in nodes if node.depth}:
            level = [node for node in nodes if node.depth == depth]
            survivors = [node.score for node in level if node.fate != "pruned"]
            pruned = [node.score for node in level if node.fate == "pruned"]
            assert len(survivors) <= width
            assert not pruned or not survivors or min(survivors) >= max(pruned)


def test_tree_holds_together() -> None:
    for seed in SEEDS:
        beam = Beam(3)
        tree = beam.search(markov.scorer(seed), markov.LIMITS)
        for index, node in enumerate(tree.nodes[1:], start=1):
            parent = tree.nodes[node.parent]
            assert node.parent < index
            assert parent.fate == "kept"
            assert node.choice is not None
            assert node.choice.prefix == tree.prefix(node.parent)
            assert node.choice.chosen.id == node.id
            assert node.depth == parent.depth + 1 == len(tree.path(index)) - 1
            expected = markov.log_prob(seed, tree.prefix(index)[1:])
            assert node.log_prob == pytest.approx(expected, abs=1e-5)
            assert node.score == beam.score(node.log_prob, node.depth)
            if node.fate == "finished":
                assert node.id == markov.END


def test_at_most_width_hypotheses_finish_and_the_best_one_wins() -> None:
    for seed in SEEDS:
        tree = Beam(4).search(markov.scorer(seed), markov.LIMITS)
        finished = [node.score for node in tree.nodes if node.fate == "finished"]
        assert len(finished) <= 4
        if finished:
            assert tree.nodes[tree.winner].score == max(finished)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.5])
def test_a_search_that_never_ends_early_finds_the_same(width: int, penalty: float) -> None:
    limits = Limits(markov.BEGIN, markov.END, 12)
    for seed in range(100):
        plain = PlainBeam(markov.history_scorer(seed), width, penalty, markov.END)
        expected, score = plain.search(markov.BEGIN, 12)
        tree = Beam(width, penalty).search(markov.history_scorer(seed), limits)
        assert tree.prefix(tree.winner) == expected
        assert tree.nodes[tree.winner].score == pytest.approx(score, abs=1e-6)


def test_longer_translations_win_as_the_penalty_grows() -> None:
    limits = Limits(markov.BEGIN, markov.END, 10)
    lengths = [
        sum(len(winner(Beam(50, penalty).search(markov.scorer(seed), limits))) for seed in range(8))
        for penalty in (0.0, 1.0, 3.0)
    ]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


@pytest.mark.parametrize(
    "setting", [{"width": 0}, {"length_penalty": -0.1}, {"length_penalty": float("inf")}]
)
def test_impossible_settings_are_refused(setting: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(setting))):
        Beam(**setting)


END, GOES_ON = 0, 1


def even(prefixes: Tensor) -> Tensor:
    """Hold it as likely that a prefix ends as that it goes on."""
    return torch.zeros(len(prefixes), 2)


def test_a_search_ends_when_the_best_that_lives_can_only_draw_level() -> None:
    """Without a penalty by length, both first hypotheses have log ½, and one of them is whole."""
    tree = Beam(2, 0.0).search(even, Limits(begin_id=GOES_ON, end_id=END, max_length=9))
    assert max(node.depth for node in tree.nodes) == 1
    assert winner(tree) == (END,)


@pytest.mark.parametrize(("ends", "depth"), [(0.61, 2), (0.64, 1)])
def test_hope_counts_as_many_pieces_as_fit_and_no_more(ends: float, depth: int) -> None:
    """At penalty 1 and seven pieces, what lives now may come to half its log-probability.

    log 0.39 / 2 is above log 0.61, so the search goes on; log 0.36 / 2 is below log 0.64.
    """
    odds = torch.tensor([[ends, 1 - ends]]).log()
    limits = Limits(begin_id=GOES_ON, end_id=END, max_length=8)
    tree = Beam(2, 1.0).search(lambda prefixes: odds.expand(len(prefixes), -1), limits)
    assert max(node.depth for node in tree.nodes) == depth


def test_a_tree_grows_from_the_begin_token() -> None:
    tree = Beam(2).search(even, Limits(begin_id=GOES_ON, end_id=END, max_length=4))
    assert tree.nodes[0] == Node(0, GOES_ON, 0, 0.0, 0.0, "kept")
