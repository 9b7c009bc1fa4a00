from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
import torch

from model.tokenizer import Tokenizer
from model.training.data.batches import BatchMaker
from model.training.data.pairs import EncodedPair
from model.training.data.stream import (
    Examples,
    Feed,
    Files,
    Position,
    Stream,
    counts_of_round,
)
from model.training.settings import ALONE, TrainingSettings


def numbered(count: int, start: int = 10) -> list[EncodedPair]:
    return [EncodedPair([start + n], [start + n]) for n in range(count)]


@pytest.fixture
def plain(settings: TrainingSettings) -> TrainingSettings:
    return replace(settings, tokens=64, side_tokens=64, join=0.0, round=40)


def stream(
    tokenizer: Tokenizer,
    settings: TrainingSettings,
    *files: list[EncodedPair],
    rank: int = 0,
    world: int = 1,
) -> Stream:
    maker = BatchMaker(tokenizer, settings)
    weights = settings.weights if len(settings.weights) == len(files) else ((1.0,),) * len(files)
    return Stream(
        maker, Files(files, 0), weights, lambda _: settings.tokens, rank=rank, world=world
    )


def test_a_round_has_what_the_weights_say_and_no_pair_twice() -> None:
    assert counts_of_round([100, 50], [1, 1], 30) == [20, 10]
    assert counts_of_round([100, 50], [1, 4], 30) == [10, 20]
    assert counts_of_round([100, 50], [1, 0], 30) == [30, 0]
    assert counts_of_round([100, 50], [1, 2], 1000) == [50, 50]


def test_all_of_a_file_is_drawn_before_any_comes_again() -> None:
    files = Files([numbered(7), numbered(5, 50)], seed=3)
    drawn = [pair.source[0] for start in range(0, 21, 3) for pair in files.draw(0, start, 3)]
    assert Counter(drawn) == {n: 3 for n in range(10, 17)}
    assert sorted(drawn[:7]) == sorted(drawn[7:14]) == list(range(10, 17))
    assert drawn[:7] != drawn[7:14]
    again = Files([numbered(7), numbered(5, 50)], seed=3)
    assert [pair.source[0] for pair in again.draw(0, 0, 21)] == drawn


def test_every_pair_of_every_file_comes_as_often_as_its_weight_says(
    tokenizer: Tokenizer, plain: TrainingSettings
) -> None:
    settings = replace(plain, weights=((1.0, 1.0), (3.0, 0.0)), round=50)
    pairs = stream(tokenizer, settings, numbered(20), numbered(10, 50))
    found: Counter[int] = Counter()
    while pairs.position.number < 6:
        found.update(pair.source[0] for pair in pairs.next(0))
    first, second = (sum(found[n] for n in range(a, b)) for a, b in ((10, 30), (50, 60)))
    assert second / first == pytest.approx(1.5, rel=0.1)
    assert {n for pair in pairs.next(1) for n in pair.source} <= set(range(10, 30))


def test_a_new_phase_begins_a_new_round(tokenizer: Tokenizer, plain: TrainingSettings) -> None:
    pairs = stream(tokenizer, plain, numbered(40))
    pairs.next(0)
    assert (pairs.position.number, pairs.position.done) == (0, 1)
    pairs.next(1)
    assert (pairs.position.number, pairs.position.phase, pairs.position.done) == (1, 1, 1)
    assert pairs.position.taken == (40,)


def test_a_stream_goes_on_where_another_stopped(
    tokenizer: Tokenizer, plain: TrainingSettings
) -> None:
    straight = stream(tokenizer, plain, numbered(60), numbered(30, 80))
    everything = [straight.next(0) for _ in range(30)]
    for stop in (1, 7, 15):
        before = stream(tokenizer, plain, numbered(60), numbered(30, 80))
        for _ in range(stop):
            before.next(0)
        after = stream(tokenizer, plain, numbered(60), numbered(30, 80))
        after.go_on(before.position)
        assert [after.next(0) for _ in range(30 - stop)] == everything[stop:]


def test_processes_share_the_batches_out_among_them(
    tokenizer: Tokenizer, plain: TrainingSettings
) -> None:
    alone = stream(tokenizer, plain, numbered(40))
    several = [stream(tokenizer, plain, numbered(40), rank=rank, world=2) for rank in range(2)]
    batches = [batch for _ in range(1) for mine in several for batch in [mine.next(0)]]
    assert batches == [alone.next(0), alone.next(0)]


def test_too_few_batches_are_said(tokenizer: Tokenizer, plain: TrainingSettings) -> None:
    with pytest.raises(ValueError, match="1 batches are too few for 2 processes"):
        stream(tokenizer, plain, numbered(1), world=2).next(0)
    with pytest.raises(ValueError, match="0 batches are too few for 1 processes"):
        stream(tokenizer, plain, []).next(0)


def test_generated_pairs_are_added_to_every_round(
    tokenizer: Tokenizer, plain: TrainingSettings
) -> None:
    pairs = stream(tokenizer, plain, numbered(40))
    asked: list[tuple[int, int, int]] = []

    def added(number: int, phase: int, count: int) -> list[EncodedPair]:
        asked.append((number, phase, count))
        return [EncodedPair([5], [6])]

    pairs.added = added
    found: list[EncodedPair] = []
    while pairs.position.number < 1:
        found += pairs.next(0)
    assert found.count(EncodedPair([5], [6])) >= 1
    assert asked == [(0, 0, 40), (1, 0, 40)]


def feed(tokenizer: Tokenizer, settings: TrainingSettings) -> Feed:
    pairs = stream(tokenizer, settings, numbered(60))
    return Feed(settings, pairs, stream(tokenizer, settings, numbered(90, 20)))


def test_the_encoder_learns_alone_first_then_beside_the_translation(
    tokenizer: Tokenizer, plain: TrainingSettings
) -> None:
    settings = replace(plain, steps=10, pretrain=4, phases=(0.5,), masked=(0.5, 0))
    kinds = [(e.pairs is not None, e.text is not None) for e in feed(tokenizer, settings)]
    assert kinds == [(False, True)] * 4 + [(True, True)] * 3 + [(True, False)] * 3
    assert settings.phase(0) == ALONE
    assert [settings.phase(step) for step in (3, 4, 6, 7, 9)] == [ALONE, 0, 0, 1, 1]


def equal(one: Examples, other: Examples) -> bool:
    if (one.pairs is None) != (other.pairs is None) or one.positions != other.positions:
        return False
    pairs = (
        one.pairs is None or other.pairs is None or torch.equal(one.pairs.given, other.pairs.given)
    )
    text = one.text is None or other.text is None or torch.equal(one.text.source, other.text.source)
    return pairs and text


def test_examples_go_on_where_they_stopped(tokenizer: Tokenizer, plain: TrainingSettings) -> None:
    settings = replace(plain, steps=12, pretrain=4, masked=(0.5,), blanked=(0.3,), accumulate=2)
    everything = list(feed(tokenizer, settings))
    assert len(everything) == 24
    for step in (1, 4, 7):
        rest = feed(tokenizer, settings)
        rest.go_on(step, everything[2 * step - 1].positions)
        assert all(map(equal, rest, everything[2 * step :]))
    assert not any(map(equal, everything, islice(everything, 1, None)))


def test_guessing_needs_text(tokenizer: Tokenizer, plain: TrainingSettings) -> None:
    with pytest.raises(ValueError, match="need English text"):
        Feed(replace(plain, masked=(0.5,)), stream(tokenizer, plain, numbered(9)), None)
    nothing = Feed(replace(plain, masked=(0,)), stream(tokenizer, plain, numbered(9)), None)
    assert next(iter(nothing)).positions[1] == Position()
