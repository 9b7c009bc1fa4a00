import random
import re
import unicodedata

import pytest

from model.training.data.pairs import NEVER_TOGETHER, Pair
from model.training.data.samples import VISITOR_SENTENCES, is_visitor_sentence
from model.training.generated.lexicon import adjectives, nouns
from model.training.generated.slots import Word, draw, pool
from model.training.generated.visitors import filled, visitor_pairs


@pytest.fixture(scope="module")
def many() -> list[Pair]:
    return visitor_pairs(50_000, seed=11)


def test_pairs_follow_from_the_seed() -> None:
    assert visitor_pairs(300, seed=3) == visitor_pairs(300, seed=3)
    assert visitor_pairs(300, seed=3) != visitor_pairs(300, seed=4)
    assert visitor_pairs(0, seed=3) == []


def test_pairs_vary(many: list[Pair]) -> None:
    assert len({pair.source for pair in many}) > 0.6 * len(many)
    alone = sum(len(pair.source.split()) == 1 for pair in many)
    assert 0.05 < alone / len(many) < 0.3


def test_none_is_a_sentence_of_the_test_set(many: list[Pair]) -> None:
    bare = {text.lower().strip(".!? ") for text in VISITOR_SENTENCES}
    assert not [p for p in many if p.source.lower().strip(".!? ") in bare]
    assert is_visitor_sentence("what time is it")


def test_held_out_words_and_the_demo_stay_away(many: list[Pair]) -> None:
    held = {word.english for word in (*nouns(), *adjectives().values()) if word.held}
    for pair in many:
        said = set(re.findall(r"\w+", pair.source.lower()))
        assert not said & held, pair
        assert not said >= NEVER_TOGETHER, pair


def test_text_is_written_as_the_data_write_it(many: list[Pair]) -> None:
    for pair in many:
        for text in (pair.source, pair.target):
            assert unicodedata.is_normalized("NFC", text)
            assert not re.search(r"[{}\u2019\u00a0\u202f]|  |^ | $", text), pair
        assert not re.search(r"\S[?!:;»]|«\S", pair.target), pair
        ends = [re.sub(r".*?([.!?]?)$", r"\1", text) for text in (pair.source, pair.target)]
        assert ends[0] == ends[1], pair


def test_french_elides_and_contracts(many: list[Pair]) -> None:
    wrong = [
        r"\b(?:le|la|de|ne|je|que|se|ce|ma|ta|sa) [aeiouàâéèêëîïôûœ](?!nz|est\b)",
        r"\b(?:de|à) les? ",
        r"\b(?:[dljnst]|qu)'[bcdfgjklmnpqrstvwxz]",
    ]
    for pair in many:
        for pattern in wrong:
            assert not re.search(pattern, pair.target, re.IGNORECASE), (pattern, pair)


@pytest.mark.parametrize(
    ("english", "french", "fits"),
    [
        ("{animal:a} and {animal2:a}", "{animal:un} et {animal2:un}", r"Une? \w.+ et une? \w.+"),
        ("{name} of {town}", "{name} {town:de}", r"\S+ (d'[AÉEIO]|de [^AÉEIO]|du ).+"),
    ],
)
def test_frames_are_filled(english: str, french: str, fits: str) -> None:
    rng = random.Random(1)
    for _ in range(50):
        try:
            pair = filled(english, french, rng)
        except ValueError:
            continue
        assert re.fullmatch(fits, pair.target), pair


def test_forms_of_words() -> None:
    school = Word("school", "école", "f")
    games = Word("mathematics", "mathématiques", "f", plural=True, kind="subject")
    assert [school.in_french(form) for form in ("le", "du", "au", "un", "ce", "mon", "de")] == [
        "l'école",
        "de l'école",
        "à l'école",
        "une école",
        "cette école",
        "mon école",
        "d'école",
    ]
    assert [games.in_french(form) for form in ("le", "du", "au", "est", "nest")] == [
        "les mathématiques",
        "des mathématiques",
        "aux mathématiques",
        "sont",
        "ne sont",
    ]
    assert Word("interesting", "intéressant", feminine="intéressante").agreeing(games) == (
        "intéressantes"
    )


@pytest.mark.parametrize(
    ("country", "where", "whence"),
    [
        ("France", "en France", "de France"),
        ("Italy", "en Italie", "d'Italie"),
        ("Japan", "au Japon", "du Japon"),
        ("the United States", "aux États-Unis", "des États-Unis"),
        ("Hungary", "en Hongrie", "de Hongrie"),
    ],
)
def test_countries_take_their_prepositions(country: str, where: str, whence: str) -> None:
    word = next(word for word in pool("country") if word.english == country)
    assert (word.in_french("en"), word.in_french("de")) == (where, whence)


def test_times_and_large_numbers_are_written_as_french_does() -> None:
    rng = random.Random(2)
    for _ in range(100):
        time, big = draw("time", rng), draw("big", rng)
        assert time.french == time.english.replace(":", " h ")
        assert big.french == big.english.replace(",", " ")


def test_lists_are_long_enough_and_have_no_doubles() -> None:
    for kind, least in (
        ("name", 300),
        ("surname", 200),
        ("town", 150),
        ("country", 40),
        ("language", 25),
        ("job", 40),
    ):
        found = [word.english for word in pool(kind)]
        assert len(found) >= least
        assert len(set(found)) == len(found)
