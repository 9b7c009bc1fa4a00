import gzip
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
import torch

from model.tokenizer import Tokenizer
from model.training.data import (
    Batch,
    BatchMaker,
    EncodedPair,
    Pair,
    encode_pairs,
    endless,
    learn_tokenizer,
    read_pairs,
)
from model.training.settings import TrainingSettings


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.tsv.gz"])
def test_two_columns_are_read_and_more_are_left_out(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, "Hi.\tSalut !\nIt\u2028is.\tÇa\x85va.\tCC-BY\r\n".encode())
    assert read_pairs(path) == [Pair("Hi.", "Salut !"), Pair("It\u2028is.", "Ça\x85va.")]


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.tsv.gz"])
def test_a_bad_line_is_named(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, b"a\tb\nc\td\nalone\n")
    with pytest.raises(ValueError, match=rf"{name}:3: two columns expected, found 1"):
        read_pairs(path)
    with pytest.raises(ValueError, match=rf"{name}:2: 'utf-8' codec"):
        read_pairs(write(path, b"a\tb\n\xff\td\n"))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "cut.tsv.gz", b"a\tb\n" * 500)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(ValueError, match=r"cut\.tsv\.gz: "):
        read_pairs(path)
    path.write_bytes(b"plain\ttext\n")
    with pytest.raises(ValueError, match=r"cut\.tsv\.gz: "):
        read_pairs(path)
    with pytest.raises(ValueError, match=r"gone\.tsv: "):
        read_pairs(tmp_path / "gone.tsv")


def test_a_tokenizer_of_impossible_size_is_refused(pairs: list[Pair]) -> None:
    with pytest.raises(ValueError, match=r"8000 pieces cannot be learned: .* <= 341"):
        learn_tokenizer(pairs, 8000)


def test_learning_the_pieces_twice_gives_the_same(pairs: list[Pair], tokenizer: Tokenizer) -> None:
    assert learn_tokenizer(pairs, 340).serialized == tokenizer.serialized


def test_empty_and_overlong_pairs_are_left_out(tokenizer: Tokenizer) -> None:
    fits, too_long = "?" * 5, "?" * 6  # a piece for each, and one for the start of the word
    given = [Pair(fits, fits), Pair("", fits), Pair(fits, " "), Pair(fits, too_long)]
    length = len(tokenizer.encode(fits)) + 2
    assert len(encode_pairs(given, tokenizer, length)) == 1
    assert encode_pairs(given, tokenizer, length - 1) == []
    assert len(encode_pairs(given, tokenizer, length + 1)) == 2


def sides(pairs: list[EncodedPair]) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    return Counter((tuple(pair.source), tuple(pair.target)) for pair in pairs)


@pytest.mark.parametrize("tokens", [64, 200, 10_000])
def test_batches_keep_to_the_limit_and_hold_every_pair_once(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings, tokens: int
) -> None:
    maker = BatchMaker(encoded, tokenizer, replace(settings, tokens=tokens, join=0.0))
    for number in range(3):
        batches = maker.epoch(number)
        assert sides([pair for batch in batches for pair in batch]) == sides(encoded)
        for batch in map(maker.collate, batches):
            rows, width = len(batch.source), max(batch.source.size(1), batch.target.size(1))
            assert rows * width <= tokens


def test_joined_pairs_hold_every_sentence_once_and_fit_the_model(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    everything = replace(settings, join=0.9)
    joined = [p for b in BatchMaker(encoded, tokenizer, everything).epoch(0) for p in b]
    assert len(joined) < len(encoded)
    assert max(pair.length for pair in joined) <= settings.longest
    pieces = Counter(id_ for pair in encoded for id_ in pair.target)
    assert Counter(id_ for pair in joined for id_ in pair.target) == pieces
    longest = max(pair.length for pair in encoded)
    tight = replace(everything, config=replace(settings.config, max_length=longest))
    kept = [p for b in BatchMaker(encoded, tokenizer, tight).epoch(0) for p in b]
    assert len(kept) > len(joined)
    assert max(pair.length for pair in kept) <= longest


def test_an_epoch_has_its_added_pairs_beside_the_others(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    def added(epoch: int) -> list[EncodedPair]:
        return [EncodedPair([5], [6])] * epoch

    maker = BatchMaker(encoded, tokenizer, replace(settings, join=0.0), added)
    for number in range(3):
        found = sides([pair for batch in maker.epoch(number) for pair in batch])
        assert found - sides(encoded) == sides(added(number))
        assert found.total() == len(encoded) + number


def test_both_sides_are_joined_in_the_same_order(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    numbered = [EncodedPair([n], [n + 100], generated=n % 7 == 0) for n in range(40)]
    for batch in BatchMaker(numbered, tokenizer, replace(settings, join=0.5)).epoch(0):
        for pair in batch:
            assert [n + 100 for n in pair.source] == pair.target
            assert pair.generated == any(n % 7 == 0 for n in pair.source)


def test_the_share_that_is_set_loses_its_last_mark_on_both_sides(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    texts = [Pair(f"It is {n}.", f"C'est {n}.") for n in range(100)]
    marked = encode_pairs(texts, tokenizer, 1000)
    given = replace(settings, tokens=1000, join=0.0, unmarked=(0, 0.25))
    maker = BatchMaker(marked, tokenizer, given)

    def sides(epoch: int) -> Counter[tuple[str, str]]:
        pairs = [pair for batch in maker.epoch(epoch) for pair in batch]
        return Counter((tokenizer.decode(p.source), tokenizer.decode(p.target)) for p in pairs)

    assert sides(0) == Counter((pair.source, pair.target) for pair in texts)
    for epoch in (1, 2):
        bare = [pair for pair in sides(epoch) if not pair[0].endswith(".")]
        assert len(bare) == 25
        assert all((f"{a}.", f"{b}.") in sides(0) for a, b in bare)
    assert sides(1) != sides(2)


def test_a_pair_without_marks_or_of_marks_alone_stays_as_it_is(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    texts = [Pair("It is", "C'est."), Pair("It is.", "C'est"), Pair(".", ".")]
    pairs = encode_pairs(texts, tokenizer, 1000)
    given = replace(settings, tokens=1000, join=0.0, unmarked=(0.99,))
    batches = BatchMaker(pairs, tokenizer, given).epoch(0)
    assert {(tuple(p.source), tuple(p.target)) for batch in batches for p in batch} == {
        (tuple(p.source), tuple(p.target)) for p in pairs
    }


def test_batches_hold_pairs_of_similar_length(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    batches = BatchMaker(encoded, tokenizer, replace(settings, join=0.0)).epoch(0)
    ranges = sorted((min(p.length for p in b), max(p.length for p in b)) for b in batches)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def test_the_order_depends_on_seed_and_epoch_alone(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker = BatchMaker(encoded, tokenizer, settings)
    again = BatchMaker(encoded, tokenizer, settings)
    other = BatchMaker(encoded, tokenizer, replace(settings, seed=1))
    assert again.epoch(2) == maker.epoch(2)
    assert maker.epoch(1) != maker.epoch(2)
    assert other.epoch(2) != maker.epoch(2)


def test_a_batch_has_begin_and_end_and_is_padded(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    batch = BatchMaker([], tokenizer, settings).collate(
        [EncodedPair([7], [8, 9]), EncodedPair([10, 11, 12], [13], generated=True)]
    )
    assert batch.source.tolist() == [[7, 2, 0, 0], [10, 11, 12, 2]]
    assert batch.generated.tolist() == [False, True]
    assert batch.target.tolist() == [[1, 8, 9, 2], [1, 13, 2, 0]]


def test_a_pair_longer_than_a_batch_is_refused(
    tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    with pytest.raises(ValueError, match="a pair of 65 tokens is longer than 64"):
        BatchMaker([EncodedPair([5] * 64, [5])], tokenizer, settings)


def equal(one: Batch, other: Batch) -> bool:
    return torch.equal(one.source, other.source) and torch.equal(one.target, other.target)


def test_batches_go_on_where_they_stopped_also_across_epochs(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker = BatchMaker(encoded, tokenizer, settings)
    epoch = len(maker.epoch(0))
    everything = list(islice(endless(maker, 0, 0, 1), 3 * epoch))
    second = [maker.collate(batch) for batch in maker.epoch(1)]
    assert all(map(equal, everything[epoch : epoch + len(second)], second))
    for start in (1, epoch - 1, epoch, epoch + 2):
        rest = list(islice(endless(maker, start, 0, 1), epoch))
        assert all(map(equal, rest, everything[start:]))


def test_processes_share_the_batches_out_among_them(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    maker = BatchMaker(encoded, tokenizer, settings)
    steps = len(maker.epoch(0)) // 2
    alone = list(islice(endless(maker, 0, 0, 1), 2 * steps))
    for rank in range(2):
        mine = list(islice(endless(maker, 0, rank, 2), steps))
        assert all(map(equal, mine, alone[rank::2]))


def test_too_few_batches_are_said(tokenizer: Tokenizer, settings: TrainingSettings) -> None:
    with pytest.raises(ValueError, match="1 batches are too few for 2 processes"):
        next(endless(BatchMaker([EncodedPair([5], [6])], tokenizer, settings), 0, 0, 2))
    with pytest.raises(ValueError, match="0 batches are too few"):
        next(endless(BatchMaker([], tokenizer, settings), 0, 0, 1))
