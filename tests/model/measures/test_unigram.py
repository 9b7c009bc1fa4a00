"""The pruning of a unigram vocabulary, against SentencePiece's own trainer and all cuts by hand."""

import json
import math
from itertools import pairwise, product

import pytest

from model.checkpoints.checkpoint import CHECKPOINTS
from model.measures.unigram import _expected, best, cut, rounds
from model.measures.vocabulary import common_lines, learned

EXAMPLES = json.loads((CHECKPOINTS / "en-fr" / "examples.json").read_text("utf-8"))["sentences"]
TEXT = "\n".join(text for one in EXAMPLES for text in (one["text"], one.get("reference")) if text)
SENTENCE = EXAMPLES[0]["text"]


@pytest.mark.parametrize("size", [188, 200, 230])
def test_it_ends_with_the_pieces_and_scores_of_sentencepiece(size: int) -> None:
    own = learned(TEXT, "unigram", size, 1)
    _, last = rounds(common_lines(TEXT, 1), size)
    expected = {one.piece: one.score for one in own.pieces}
    assert last.keys() == expected.keys()
    assert max(abs(last[piece] - expected[piece]) for piece in last) < 1e-3
    assert cut(SENTENCE, last) == own.cut(SENTENCE)


@pytest.mark.parametrize("size", [90, 150])
def test_after_several_rounds_at_most_pieces_of_equal_loss_differ(size: int) -> None:
    own = {one.piece for one in learned(TEXT, "unigram", size, 1).pieces}
    found, last = rounds(common_lines(TEXT, 1), size)
    assert len(found) > 1
    assert len(own & last.keys()) >= 0.98 * len(own)
    assert len(own) == len(last) == size - 3


def test_each_round_goes_on_with_what_the_last_one_left() -> None:
    found, last = rounds(common_lines(TEXT, 1), 90)
    for one, after in pairwise(found):
        assert after.before == len(one.scores)
        assert one.before - one.too_rare - one.pruned == len(one.scores)
        assert not set(one.missed_least) & one.scores.keys()
        assert after.loss > one.loss  # fewer pieces, less probable words
    assert {character for character in last if len(character) == 1} >= set("abcdé")


def cuts(word: str) -> list[tuple[str, ...]]:
    """All ways to cut a word."""
    found = []
    for marks in product((False, True), repeat=len(word) - 1):
        places = [0, *(at for at, here in enumerate(marks, start=1) if here), len(word)]
        found.append(tuple(word[a:b] for a, b in pairwise(places)))
    return found


def test_expected_counts_and_the_best_cut_are_those_of_all_cuts() -> None:
    scores = {"a": -2.0, "b": -2.5, "ab": -3.0, "ba": -3.5, "aba": -6.0}
    word = "abab"
    chances = {
        way: math.exp(sum(scores[piece] for piece in way))
        for way in cuts(word)
        if all(piece in scores for piece in way)
    }
    total = sum(chances.values())
    counts, loss = _expected({word: 3}, scores)
    assert loss == pytest.approx(-math.log(total))
    for piece in scores:
        expected = sum(chance * way.count(piece) for way, chance in chances.items()) / total
        assert counts[piece] == pytest.approx(3 * expected)
    assert best(word, scores) == max(chances, key=lambda way: chances[way])
    assert best("ab", scores, without="ab") == ("a", "b")


def test_what_has_no_piece_is_unknown_and_an_empty_text_refused() -> None:
    assert cut("ab", {"▁": -1.0, "a": -1.0}) == (("▁", True), ("a", True), ("b", False))
    with pytest.raises(ValueError, match="without words"):
        rounds([" "], 50)
