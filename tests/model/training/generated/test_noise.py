"""Noise in and around pairs: what is copied, what follows French rules."""

import random
import re

import pytest

from model.training.data.pairs import NEVER_TOGETHER, Pair
from model.training.data.samples import VISITOR_SENTENCES
from model.training.generated.copied import COPIED
from model.training.generated.noise import capital_pairs, noise_pairs

CORPUS = (
    Pair("Tom is here.", "Tom est ici."),
    Pair("Does Mary like the cat?", "Mary aime-t-elle le chat ?"),
    Pair("Well, I'm tired of waiting for you!", "Eh bien, j'en ai assez de t'attendre !"),
    Pair("We went to Boston yesterday.", "Nous sommes allés à Boston hier."),
)
SIGNS = re.compile(r"[^\x00-\u024f]|[@#/\[\]<>^*]")
QUOTES = "“”€"


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return noise_pairs(CORPUS, 4000, 0)


def test_the_same_seed_makes_the_same_pairs(pairs: list[Pair]) -> None:
    assert len(pairs) == 4000
    assert noise_pairs(CORPUS, 4000, 0) == pairs
    assert noise_pairs(CORPUS, 4000, 1) != pairs


def test_emoji_and_foreign_words_are_copied(pairs: list[Pair]) -> None:
    copied = 0
    for pair in pairs:
        english, french = (
            [sign for sign in SIGNS.findall(text) if sign not in QUOTES]
            for text in (pair.source, pair.target)
        )
        assert english == french, pair
        copied += bool(english)
    assert copied > len(pairs) / 4


def test_chat_words_of_the_english_leave_the_french_as_it_was(pairs: list[Pair]) -> None:
    chatted = {pair for pair in pairs if re.search(r"\bu\b", pair.source)}
    asked = "Eh bien, j'en ai assez de t'attendre !"
    assert {pair.target for pair in chatted} == {asked}
    assert "well, im tired of waiting for u" in {pair.source for pair in chatted}


def test_quotes_are_guillemets_with_spaces(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert not re.search(r"[\"“”]", pair.target), pair
        assert pair.target.count("«") == pair.target.count("»")
        assert not re.search(r"«\S|\S»", pair.target), pair
        assert pair.source.count("(") == pair.target.count("("), pair
    assert any(pair.source.startswith("“") for pair in pairs)


def test_french_marks_prices_and_numbers_follow_its_rules(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert not re.search(r"[$€£]\d", pair.target), pair
        assert not re.search(r"\d[%€$£]", pair.target), pair
        assert not re.search(r"\d ?[ap]\.?m\b", pair.target.lower()), pair
        assert "  " not in pair.source + pair.target
    assert any(re.search(r"\d,\d\d €", pair.target) for pair in pairs)


def test_nothing_of_the_test_set_is_made() -> None:
    corpus = [Pair(sentence, "Bonjour.") for sentence in VISITOR_SENTENCES]
    assert not capital_pairs(corpus, 50, 0)
    known = {sentence.strip(".!? ").lower() for sentence in VISITOR_SENTENCES}
    made = noise_pairs(corpus, 500, 0)
    assert not known & {pair.source.strip(".!? ").lower() for pair in made}
    words = [set(re.findall(r"\w+", pair.source.lower())) for pair in made]
    assert not any(each >= NEVER_TOGETHER for each in words)


def test_capitals_are_those_of_both_sides() -> None:
    for pair in capital_pairs(CORPUS, 200, 0):
        if pair.source.isupper():
            assert pair.target.isupper()
        else:
            words = [*pair.source.split(), *pair.target.split()]
            assert not any(word[0].islower() for word in words)


def test_without_a_corpus_there_are_frames_alone() -> None:
    assert len(noise_pairs((), 50, 0)) == 50
    assert capital_pairs((), 50, 0) == []


@pytest.mark.parametrize("kind", COPIED)
def test_each_kind_of_slot_is_drawn_alike_for_a_seed(kind: str) -> None:
    drawn = [COPIED[kind](random.Random(seed)) for seed in range(30)]
    assert drawn == [COPIED[kind](random.Random(seed)) for seed in range(30)]
    assert len(set(drawn)) > 10
    digits = [[re.sub(r"\D", "", text) for text in pair] for pair in drawn]
    assert kind in ("clock", "calendar") or all(a == b for a, b in digits)
