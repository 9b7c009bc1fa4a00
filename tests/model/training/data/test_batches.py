from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from model.tokenizer import Tokenizer
from model.training.data.batches import BatchMaker, joined
from model.training.data.pairs import Asked, EncodedPair, Pair, encode_pairs
from model.training.settings import TrainingSettings


def sides(pairs: list[EncodedPair]) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    return Counter((tuple(pair.source), tuple(pair.target)) for pair in pairs)


@pytest.mark.parametrize("tokens", [64, 200, 10_000])
def test_batches_keep_to_the_limit_and_hold_every_pair_once(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings, tokens: int
) -> None:
    maker = BatchMaker(tokenizer, replace(settings, tokens=tokens, join=0.0))
    for number in range(3):
        batches = maker.cut(encoded, number)
        assert sides([pair for batch in batches for pair in batch]) == sides(encoded)
        for batch in map(maker.collate, batches):
            rows, width = len(batch.source), max(batch.source.size(1), batch.target.size(1))
            assert rows * width <= tokens


def test_joined_pairs_hold_every_sentence_once_and_fit_the_model(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    everything = replace(settings, join=0.9)
    joined = [p for b in BatchMaker(tokenizer, everything).cut(encoded, 0) for p in b]
    assert len(joined) < len(encoded)
    assert max(pair.length for pair in joined) <= settings.longest
    pieces = Counter(id_ for pair in encoded for id_ in pair.target)
    assert Counter(id_ for pair in joined for id_ in pair.target) == pieces
    longest = max(pair.length for pair in encoded)
    tight = replace(everything, config=replace(settings.config, max_length=longest))
    kept = [p for b in BatchMaker(tokenizer, tight).cut(encoded, 0) for p in b]
    assert len(kept) > len(joined)
    assert max(pair.length for pair in kept) <= longest


def test_both_sides_are_joined_in_the_same_order(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    numbered = [EncodedPair([n], [n + 100], generated=n % 7 == 0) for n in range(40)]
    for batch in BatchMaker(tokenizer, replace(settings, join=0.5)).cut(numbered, 0):
        for pair in batch:
            assert [n + 100 for n in pair.source] == pair.target
            assert pair.generated == any(n % 7 == 0 for n in pair.source)


def test_the_share_that_is_set_loses_its_last_mark_on_both_sides(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    texts = [Pair(f"It is {n}.", f"C'est {n}.") for n in range(100)]
    marked = encode_pairs(texts, tokenizer, 1000)
    given = replace(settings, tokens=1000, join=0.0, unmarked=(0, 0.25))
    maker = BatchMaker(tokenizer, given)

    def sides(phase: int) -> Counter[tuple[str, str]]:
        pairs = [pair for batch in maker.cut(marked, phase, phase) for pair in batch]
        return Counter((tokenizer.decode(p.source), tokenizer.decode(p.target)) for p in pairs)

    assert sides(0) == Counter((pair.source, pair.target) for pair in texts)
    for phase in (1, 2):
        bare = [pair for pair in sides(phase) if not pair[0].endswith(".")]
        assert len(bare) == 25
        assert all((f"{a}.", f"{b}.") in sides(0) for a, b in bare)
    assert sides(1) != sides(2)


def test_a_pair_without_marks_or_of_marks_alone_stays_as_it_is(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    texts = [Pair("It is", "C'est."), Pair("It is.", "C'est"), Pair(".", ".")]
    pairs = encode_pairs(texts, tokenizer, 1000)
    given = replace(settings, tokens=1000, join=0.0, unmarked=(0.99,))
    batches = BatchMaker(tokenizer, given).cut(pairs, 0)
    assert {(tuple(p.source), tuple(p.target)) for batch in batches for p in batch} == {
        (tuple(p.source), tuple(p.target)) for p in pairs
    }


def test_batches_hold_pairs_of_similar_length(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    batches = BatchMaker(tokenizer, replace(settings, join=0.0)).cut(encoded, 0)
    ranges = sorted((min(p.length for p in b), max(p.length for p in b)) for b in batches)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def test_the_order_depends_on_seed_and_number_alone(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker, again = (BatchMaker(tokenizer, settings) for _ in range(2))
    other = BatchMaker(tokenizer, replace(settings, seed=1))
    assert again.cut(encoded, 2) == maker.cut(encoded, 2)
    assert maker.cut(encoded, 1) != maker.cut(encoded, 2)
    assert other.cut(encoded, 2) != maker.cut(encoded, 2)


def test_a_batch_has_begin_and_end_and_is_padded(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    batch = BatchMaker(tokenizer, settings).collate(
        [EncodedPair([7], [8, 9]), EncodedPair([10, 11, 12], [13], generated=True)]
    )
    assert batch.source.tolist() == [[7, 2, 0, 0], [10, 11, 12, 2]]
    assert batch.generated.tolist() == [False, True]
    assert batch.target.tolist() == [[1, 8, 9, 2], [1, 13, 2, 0]]
    assert torch.equal(batch.given, batch.target[:, :-1])
    assert batch.place.tolist() == [-1, -1]


def test_a_pair_longer_than_a_batch_is_refused(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    pair = EncodedPair([5] * 64, [5])
    with pytest.raises(ValueError, match="a pair of 65 tokens is longer than a batch of 64"):
        BatchMaker(tokenizer, settings).cut([pair], 0, tokens=64)


def test_what_is_asked_moves_with_its_sentence() -> None:
    plain = EncodedPair([5, 6], [7])
    asks = EncodedPair([8, 9, 10], [11], True, Asked(1, True, 8))
    assert joined(plain, asks).asked == Asked(3, True, 8)
    assert joined(asks, plain).asked == asks.asked
    assert joined(asks, replace(asks, asked=Asked(0, False, 9))).asked == asks.asked
    assert joined(plain, plain).asked is None
    assert joined(plain, asks).generated


def test_what_is_asked_stands_in_the_batch(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    asks = EncodedPair([8, 9, 10], [11], True, Asked(1, True, 8))
    batch = BatchMaker(tokenizer, settings).collate([EncodedPair([5], [6]), asks])
    assert (batch.place.tolist(), batch.elle.tolist()) == ([-1, 1], [0, 1])
    assert batch.source[1, batch.place[1]] == 9
    assert batch.noun[1] == 8


def test_a_share_of_what_the_decoder_reads_becomes_blanks(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker = BatchMaker(tokenizer, settings)
    pairs = [EncodedPair([5], list(range(10, 50)))] * 50
    batch = maker.collate(pairs, 0.2, np.random.default_rng(0))
    changed = batch.given != batch.target[:, :-1]
    assert (batch.given[changed] == tokenizer.id("<unk>")).all()
    assert changed.float().mean() == pytest.approx(0.2, abs=0.03)
    assert not changed[:, 0].any()  # the begin token stays
    again = maker.collate(pairs, 0.2, np.random.default_rng(0))
    assert torch.equal(batch.given, again.given)


def test_hidden_pieces_are_mostly_blanks_and_their_ids_are_kept(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker = BatchMaker(tokenizer, replace(settings, masked_pieces=0.25))
    pairs = [EncodedPair(list(range(10, 30)), [])] * 100 + [EncodedPair([10], [])]
    text = maker.mask(pairs, np.random.default_rng(0))
    plain = maker.mask(pairs, np.random.default_rng(0))
    assert torch.equal(text.source, plain.source)
    original = maker.collate(pairs).source
    assert torch.equal(original[text.chosen], text.ids)
    assert torch.equal(original[~text.chosen], text.source[~text.chosen])
    assert text.chosen[:100, :20].float().mean() == pytest.approx(0.25, abs=0.03)
    assert not text.chosen[:, 20:].any()  # neither end tokens nor padding
    blanks = (text.source[text.chosen] == tokenizer.id("<unk>")).float().mean()
    left = (text.source[text.chosen] == text.ids).float().mean()
    assert blanks == pytest.approx(0.8, abs=0.05)
    assert left == pytest.approx(0.1, abs=0.05)


def test_one_piece_at_least_is_hidden(tokenizer: Tokenizer, settings: TrainingSettings) -> None:
    maker = BatchMaker(tokenizer, replace(settings, masked_pieces=0.0))
    text = maker.mask([EncodedPair([10, 11], [])], np.random.default_rng(0))
    assert (text.chosen.sum(), len(text.ids)) == (1, 1)
