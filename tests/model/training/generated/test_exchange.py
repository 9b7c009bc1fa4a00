import random
import re

import pytest

from model.training.data.pairs import Pair
from model.training.generated import exchange, slots
from model.training.generated.exchange import (
    BRANDS,
    Exchange,
    Kind,
    _in_english,
    _in_french,
    as_typed,
    exchanged,
    exchanged_in,
)
from model.training.generated.grammar import UnsureError
from model.training.generated.slots import LENGTHS, NAMES, draw, pool

REAL = [
    Pair("Tom is here.", "Tom est ici."),
    Pair("I know that Mary's car is red.", "Je sais que la voiture de Mary est rouge."),
    Pair("I think that Tom loves Mary.", "Je pense que Tom aime Mary."),
    Pair("He went to London.", "Il est allé à Londres."),
    Pair("She has 25 books.", "Elle a 25 livres."),
    Pair("He paid 2,500 dollars.", "Il a payé 2 500 dollars."),
    Pair("It was in 1995.", "C'était en 1995."),
    Pair("We left at 2:30.", "Nous sommes partis à 14 h 30."),
    Pair("One day I left.", "Un jour je partis."),
]


@pytest.mark.parametrize(
    ("french", "old", "new", "expected"),
    [
        ("La voiture de Tom.", "Tom", "Anna", "La voiture d'Anna."),
        ("La voiture d'Anna.", "Anna", "Tom", "La voiture de Tom."),
        ("Je sais que Tom dort.", "Tom", "Olga", "Je sais qu'Olga dort."),
        ("Parce qu'Anna dort.", "Anna", "Lisa", "Parce que Lisa dort."),
        ("Lorsque Tom dort, Tom rêve.", "Tom", "Eric", "Lorsqu'Eric dort, Eric rêve."),
        ("De Tom ?", "Tom", "Emma", "D'Emma ?"),
        ("Il vient de Boston.", "Boston", "Athènes", "Il vient d'Athènes."),
        ("Tom est ici.", "Tom", "Harry", "Harry est ici."),
    ],
)
def test_french_elides_before_the_new_name(french: str, old: str, new: str, expected: str) -> None:
    assert _in_french(french, old, new) == expected


@pytest.mark.parametrize(
    ("french", "old", "new"),
    [
        ("La voiture de Tom.", "Tom", "Harry"),
        ("Le Tom que je connais.", "Tom", "Paul"),
        ("L'Anna que je connais.", "Anna", "Emma"),
        ("Il n'y a pas un Tom ici.", "Tom", "Alan"),
    ],
)
def test_what_no_rule_is_sure_of_is_refused(french: str, old: str, new: str) -> None:
    with pytest.raises(UnsureError):
        _in_french(french, old, new)


@pytest.mark.parametrize("english", ["A Tom called.", "Tom's here.", "I see Tom, Mary and Bob."])
def test_english_that_would_change_is_refused(english: str) -> None:
    with pytest.raises(UnsureError):
        _in_english(english, "Tom", "James")


@pytest.mark.parametrize(
    ("pair", "kind", "source", "target"),
    [
        (REAL[3], "town", r"He went to ([A-Z][\w ]+)\.", r"Il est allé à ([A-ZÉ][\w' -]+)\."),
        (REAL[4], "number", r"She has (\d\d) books\.", r"Elle a (\d\d) livres\."),
        (REAL[5], "number", r"He paid (\d),(\d{3}) dollars\.", r"Il a payé (\d) (\d{3}) dollars\."),
        (REAL[6], "number", r"It was in ((?:19|20)\d\d)\.", r"C'était en (\d{4})\."),
        (REAL[7], "time", r"We left at (\d+):(\d\d)\.", r"Nous sommes partis à (\d+) h (\d\d)\."),
        (REAL[0], "name", r"(\w+) is here\.", r"(\w+) est ici\."),
    ],
)
def test_both_sides_change_alike(pair: Pair, kind: Kind, source: str, target: str) -> None:
    rng = random.Random(1)
    seen: set[str] = set()
    for _ in range(40):
        new = exchanged_in(pair, kind, rng)
        if new is None:
            continue
        seen.add(new.source)
        english, french = re.fullmatch(source, new.source), re.fullmatch(target, new.target)
        assert english, new
        assert french, new
        if kind != "town":
            assert english.groups() == french.groups()
    assert len(seen) > 15


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("He is 1 year old.", "Il a 1 an.", "number"),
        ("There are 12 of 30.", "Il y en a douze sur 30.", "number"),
        ("It's an 18-year-old.", "Il a 18 ans.", "number"),
        ("Call 932-8647.", "Appelez le 932-8647.", "number"),
        ("We left at 2:30 p.m.", "Nous sommes partis à 14 h 30.", "time"),
        ("We left at 2:30.", "Nous sommes partis à 15 h 30.", "time"),
        ("Mary is here.", "Marie est ici.", "name"),
        ("Tom saw Tom.", "Tom l'a vu.", "name"),
        ("London is in Ontario.", "C'est en Ontario.", "town"),
    ],
)
def test_pairs_that_do_not_hold_the_same_are_left_out(source: str, target: str, kind: Kind) -> None:
    rng = random.Random(2)
    assert not any(exchanged_in(Pair(source, target), kind, rng) for _ in range(20))


def test_half_the_names_are_in_no_table_and_still_names() -> None:
    rng = random.Random(1)
    for kind in NAMES:
        known = {word.english for word in pool(kind)}
        genders = {word.gender for word in pool(kind)}
        drawn = [draw(kind, rng) for _ in range(400)]
        new = [word for word in drawn if word.english not in known]
        assert 0.4 < len(new) / len(drawn) < 0.6
        assert len({word.english for word in new}) > 0.9 * len(new)
        for word in new:
            assert word.english == word.french
            assert word.english.istitle()
            assert len(word.english) in LENGTHS
            assert word.gender in genders


def test_some_names_become_brands_and_rows_of_capitals() -> None:
    rng = random.Random(1)
    drawn = [
        exchanged_in(Pair("Mary is tired.", "Mary est fatiguée."), "name", rng) for _ in range(600)
    ]
    names = [pair.source.split()[0] for pair in drawn if pair]
    capitals = [name for name in names if re.fullmatch("[A-Z]{2,5}", name)]
    assert 0.15 * BRANDS < len(capitals) / len(names) < BRANDS
    assert len(set(capitals)) > 0.9 * len(capitals)
    assert all(pair.target.startswith(pair.source.split()[0]) for pair in drawn if pair)


def test_invented_brands_have_the_three_forms() -> None:
    rng = random.Random(2)
    known = {word.english for word in pool("brand")}
    new = [
        word.english
        for word in (draw("brand", rng) for _ in range(400))
        if word.english not in known
    ]
    rows = sum(name.isupper() for name in new)
    words = sum(name.istitle() for name in new)
    assert 0.4 < rows / len(new) < 0.7
    assert 0.1 < words / len(new) < 0.4
    assert rows + words < len(new)  # and YouTube's form
    assert all(name.isascii() and name.isalpha() for name in new)


def test_gender_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "INVENTED", 0)
    monkeypatch.setattr(exchange, "BRANDS", 0)
    girls = {word.english for word in pool("girl")}
    rng = random.Random(3)
    for _ in range(60):
        new = exchanged_in(Pair("Mary is tired.", "Mary est fatiguée."), "name", rng)
        assert new is None or new.source.split()[0] in girls


def test_exchanged_pairs_follow_from_the_seed() -> None:
    assert exchanged(REAL, 50, seed=1) == Exchange(REAL).draw(50, 1)
    assert exchanged(REAL, 50, seed=1) != exchanged(REAL, 50, seed=2)
    assert len(exchanged(REAL, 50, seed=1)) == 50
    assert exchanged(REAL[-1:], 5, seed=1) == []
    assert exchanged(REAL, 0, seed=1) == []


def test_typed_copies_lose_capital_mark_or_both() -> None:
    rng = random.Random(4)
    pair = Pair("Can I go, Tom?", "Puis-je y aller, Tom ?")
    assert {as_typed(pair, rng) for _ in range(50)} == {
        Pair("can i go, Tom?", "puis-je y aller, Tom ?"),
        Pair("Can I go, Tom", "Puis-je y aller, Tom"),
        Pair("can i go, Tom", "puis-je y aller, Tom"),
    }


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Is Tom here?", "Tom est-il ici ?"),
        ("Paris is large.", "C'est grand, Paris."),
        ("Einstein was right.", "Il avait raison, Einstein."),
    ],
)
def test_a_name_keeps_its_capital(source: str, target: str) -> None:
    rng = random.Random(5)
    for _ in range(30):
        new = as_typed(Pair(source, target), rng)
        assert (new.source[0], new.target[0]) == (source[0], target[0])


def test_an_abbreviation_keeps_its_point() -> None:
    rng = random.Random(6)
    pair = Pair("It is 8 p.m.", "Il est 20 heures.")
    assert all(as_typed(pair, rng).source.endswith(".") for _ in range(30))
