"""French rules for words and names of any list: elision, contraction, plural, agreement."""

import re
import unicodedata

from model.training.generated.frame import words

_ASPIRATED = frozenset(
    words(
        "hamster hérisson homard haricot héros haine hockey hasard hibou huit onze harpe hanche "
        "hauteur haut haute hongrois hongroise hongrie hollandais hindi hall hot"
    )
)
"""Words without elision before them, although a vowel follows the h: la harpe."""

_IRREGULAR = {
    "œil": "yeux",
    "travail": "travaux",
    "monsieur": "messieurs",
    "genou": "genoux",
    "chou": "choux",
    "hibou": "hiboux",
    "bijou": "bijoux",
    "caillou": "cailloux",
    "pneu": "pneus",
    "bal": "bals",
    "festival": "festivals",
    "grand-mère": "grands-mères",
    "grand-père": "grands-pères",
    "petit-fils": "petits-fils",
    "petite-fille": "petites-filles",
    "chauve-souris": "chauves-souris",
    "cerf-volant": "cerfs-volants",
}
_IRREGULAR_ENGLISH = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "mouse": "mice",
    "goose": "geese",
    "foot": "feet",
    "tooth": "teeth",
    "sheep": "sheep",
    "fish": "fish",
    "deer": "deer",
    "wife": "wives",
    "knife": "knives",
    "wolf": "wolves",
    "leaf": "leaves",
    "calf": "calves",
    "life": "lives",
    "shelf": "shelves",
    "scarf": "scarves",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "mosquito": "mosquitoes",
    "matrix": "matrices",
    "person": "people",
}
_INVARIABLE = frozenset(("orange", "marron", "super"))


class UnsureError(ValueError):
    """An error where no rule decides whether French elides: de Harry, d'Harry."""


def begins_with_vowel(word: str) -> bool:
    """Return True if French elides before this word: l'eau, l'hôtel, but la harpe."""
    first = re.split(r"[ -]", word.lower())[0]
    return _plain(first)[0] in "aeiouhœ" and first not in _ASPIRATED and first != "yaourt"


def name_begins_with_vowel(name: str) -> bool:
    """Return True if French elides before this name: d'Anna, d'Yves, but de Yann.

    Raises UnsureError for names that are written both ways, such as those with an h.
    """
    letters = _plain(name.lower())
    if letters[0] == "h" or re.match(r"i[aeou]|eu|ou|oi|u|wh", letters):
        raise UnsureError(name)
    if letters[0] == "y":
        return letters[1] not in "aeiou"
    return letters[0] in "aeio"


def elided(word: str, name: str) -> str:
    """Put de, que or a word ending in que before a name: d'Anna, parce que Tom."""
    return f"{word[:-1]}'{name}" if name_begins_with_vowel(name) else f"{word} {name}"


def before_town(word: str, town: str) -> str:
    """Put à or de before a French town: à Londres, d'Oslo, au Caire, de La Havane."""
    if town.startswith("Le "):
        return {"à": "au ", "de": "du "}[word] + town[3:]
    return f"à {town}" if word == "à" else elided("de", town)


def french_plural(noun: str) -> str:
    """Return the plural of a French noun: chevaux, pommes de terre, grands-mères."""
    head, *rest = re.split(r"(?= (?:de|d'|à|en|photo|web)\b)", noun, maxsplit=1)
    return " ".join(_plural(word) for word in head.split(" ")) + "".join(rest)


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word[-1] in "sxz":
        return word
    if word.endswith("al"):
        return f"{word[:-2]}aux"
    return f"{word}x" if word.endswith(("au", "eu")) and word != "bleu" else f"{word}s"


def english_plural(noun: str) -> str:
    """Return the plural of an English noun; the last word changes: police stations."""
    before, _, word = noun.rpartition(" ")
    if word in _IRREGULAR_ENGLISH:
        plural = _IRREGULAR_ENGLISH[word]
    elif re.search(r"[^aeiou]y$", word):
        plural = f"{word[:-1]}ies"
    else:
        plural = f"{word}es" if re.search(r"(s|x|z|ch|sh)$", word) else f"{word}s"
    return f"{before} {plural}".strip()


def agreeing(masculine: str, feminine: str, gender: str, plural: bool = False) -> str:
    """Return the form of an adjective: intéressante, difficiles, nouveaux; but orange, marron."""
    form = feminine if gender == "f" else masculine
    fixed = form in _INVARIABLE or form.startswith("en ")
    return _plural(form) if plural and not fixed else form


def a_or_an(english: str) -> str:
    """Put the indefinite article before an English word: an apple, a university, an hour."""
    vowel = re.match(r"(?!uni|use|eu|one)[aeiou]|hour|honest", english.lower())
    return f"an {english}" if vowel else f"a {english}"


def capitalised(text: str) -> str:
    """Write the first letter large; the rest stays."""
    return text[:1].upper() + text[1:]


def _plain(text: str) -> str:
    """Drop the accents: é is an e."""
    return unicodedata.normalize("NFD", text.replace("œ", "oe"))
