"""A number that the translation has otherwise is found; one whose form changes rightly is not."""

import pytest

from viz.compute.copied_numbers import wrong_number

CHANGED = [
    ("There are 48271 people.", "Il y a 4827 personnes.", ("48271", "4827")),
    ("There are 48,271 people.", "Il y a 48 217 personnes.", ("48,271", "48 217")),
    ("Call 0612345678.", "Appelez 06 12 34 56 8.", ("0612345678", "06 12 34 56 8")),
    ("It costs $1,299.99.", "Il coûte 299,999 $.9999 £.", ("1,299.99", "299,999")),
    ("Room 120 in 2019", "La chambre 12 en 2019", ("120", "12")),
    ("It has 125 pages.", "Il a 250 pages.", ("125", "250")),
]
KEPT = [
    ("At 6:45 pm on 14 July 2019.", "Le 14 juillet 2019 à 18 h 45."),
    ("At 11.30 am we had 100 guests.", "À 11 h 30, nous avions cent invités."),
    ("It costs $1,299.99.", "Il coûte 1 299,99 $."),
    ("It costs $1,299.99.", "Il coûte 1\u202f299,99\xa0$."),
    ("It costs $1,500.00.", "Il coûte 1500 $."),
    ("It weighs 3.5 kg.", "Il pèse 3,5 kg."),
    ("It weighs 12.50 kg.", "Il pèse 12,5 kg."),
    ("It weighs 12.5 kg.", "Il pèse 12,50 kg."),
    ("In 2019 300 people came.", "En 2019 300 personnes sont venues."),
    ("In the 1990s, 12 men.", "Dans les années 90, 12 hommes."),
    ("He has 1,000 books and 2 cats.", "Il a mille livres et 2 chats."),
    ("1,000,000 people live here.", "1 million de personnes vivent ici."),
    ("The exam is on 12/06/2025.", "L'examen est le 12 juin 2025."),
    ("Call 0612345678.", "Appelez le 06 12 34 56 78."),
    ("Flight AF1380 is late.", "Le vol AF 1380 est en retard."),
    ("Count 1,2,3.", "Compte 1, 2 et 3."),
    ("One hundred people came.", "100 personnes sont venues."),
]


@pytest.mark.parametrize(("sentence", "translation", "expected"), CHANGED)
def test_a_number_with_other_digits_is_named_with_its_own(
    sentence: str, translation: str, expected: tuple[str, str]
) -> None:
    assert wrong_number(sentence, translation) == expected


@pytest.mark.parametrize(("sentence", "translation"), KEPT)
def test_a_number_in_another_form_is_right(sentence: str, translation: str) -> None:
    assert wrong_number(sentence, translation) is None
