import pytest

from model.training.generated.grammar import (
    UnsureError,
    a_or_an,
    agreeing,
    before_town,
    begins_with_vowel,
    elided,
    english_plural,
    french_plural,
    name_begins_with_vowel,
)
from model.training.generated.numerals import english_number, french_number, grouped


@pytest.mark.parametrize(
    ("word", "name", "said"),
    [
        ("de", "Tom", "de Tom"),
        ("de", "Anna", "d'Anna"),
        ("que", "Éric", "qu'Éric"),
        ("parce que", "Olga", "parce qu'Olga"),
        ("de", "Yves", "d'Yves"),
        ("de", "Yoko", "de Yoko"),
        ("de", "Walter", "de Walter"),
    ],
)
def test_small_words_are_elided_before_names(word: str, name: str, said: str) -> None:
    assert elided(word, name) == said


@pytest.mark.parametrize("name", ["Harry", "Hannah", "Ian", "Eugene", "Uwe"])
def test_names_that_people_write_either_way_are_refused(name: str) -> None:
    with pytest.raises(UnsureError):
        name_begins_with_vowel(name)


def test_an_aspirated_h_elides_nothing() -> None:
    assert begins_with_vowel("hôtel")
    assert begins_with_vowel("œuf")
    assert begins_with_vowel("école")
    assert not begins_with_vowel("hérisson")
    assert not begins_with_vowel("hongrois")
    assert not begins_with_vowel("chat")


@pytest.mark.parametrize(
    ("word", "town", "said"),
    [
        ("à", "Oslo", "à Oslo"),
        ("de", "Oslo", "d'Oslo"),
        ("à", "Le Caire", "au Caire"),
        ("de", "Le Caire", "du Caire"),
        ("à", "La Havane", "à La Havane"),
        ("de", "La Havane", "de La Havane"),
        ("de", "Athènes", "d'Athènes"),
        ("de", "Édimbourg", "d'Édimbourg"),
    ],
)
def test_prepositions_before_towns(word: str, town: str, said: str) -> None:
    assert before_town(word, town) == said


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("chat", "chats"),
        ("cheval", "chevaux"),
        ("souris", "souris"),
        ("oiseau", "oiseaux"),
        ("jeu", "jeux"),
        ("œil", "yeux"),
        ("pomme de terre", "pommes de terre"),
        ("machine à laver", "machines à laver"),
        ("grand-mère", "grands-mères"),
        ("ordinateur portable", "ordinateurs portables"),
        ("réseau de neurones", "réseaux de neurones"),
        ("appareil photo", "appareils photo"),
    ],
)
def test_french_plurals(noun: str, plural: str) -> None:
    assert french_plural(noun) == plural


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("cat", "cats"),
        ("boy", "boys"),
        ("city", "cities"),
        ("box", "boxes"),
        ("police station", "police stations"),
        ("wolf", "wolves"),
        ("piano", "pianos"),
        ("washing machine", "washing machines"),
    ],
)
def test_english_plurals(noun: str, plural: str) -> None:
    assert english_plural(noun) == plural


def test_adjectives_agree() -> None:
    assert agreeing("blanc", "blanche", "f") == "blanche"
    assert agreeing("nouveau", "nouvelle", "m", plural=True) == "nouveaux"
    assert agreeing("vert", "verte", "f", plural=True) == "vertes"
    assert agreeing("marron", "marron", "f", plural=True) == "marron"
    assert agreeing("en colère", "en colère", "f", plural=True) == "en colère"


def test_english_articles_go_by_the_sound() -> None:
    assert [a_or_an(word) for word in ("cat", "apple", "university", "hour", "unicorn")] == [
        "a cat",
        "an apple",
        "a university",
        "an hour",
        "a unicorn",
    ]
    assert a_or_an("umbrella") == "an umbrella"


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "zero", "zéro"),
        (17, "seventeen", "dix-sept"),
        (21, "twenty-one", "vingt et un"),
        (25, "twenty-five", "vingt-cinq"),
        (70, "seventy", "soixante-dix"),
        (71, "seventy-one", "soixante et onze"),
        (80, "eighty", "quatre-vingts"),
        (81, "eighty-one", "quatre-vingt-un"),
        (91, "ninety-one", "quatre-vingt-onze"),
        (99, "ninety-nine", "quatre-vingt-dix-neuf"),
        (100, "one hundred", "cent"),
        (200, "two hundred", "deux cents"),
        (201, "two hundred one", "deux cent un"),
        (1000, "one thousand", "mille"),
        (1995, "one thousand nine hundred ninety-five", "mille neuf cent quatre-vingt-quinze"),
        (2000, "two thousand", "deux mille"),
        (80_000, "eighty thousand", "quatre-vingt mille"),
        (200_300, "two hundred thousand three hundred", "deux cent mille trois cents"),
    ],
)
def test_numbers_in_words(number: int, english: str, french: str) -> None:
    assert english_number(number) == english
    assert french_number(number) == french


def test_thousands_stand_apart() -> None:
    assert grouped(1995, ",") == "1,995"
    assert grouped(1_234_567, " ") == "1 234 567"
    assert grouped(95, ",") == "95"
