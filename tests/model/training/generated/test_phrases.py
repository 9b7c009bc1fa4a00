from itertools import pairwise

import pytest

from model.training.generated.lexicon import Determiner, adjectives, nouns
from model.training.generated.phrases import COLOURS, described, phrase_pairs


@pytest.mark.parametrize(
    ("english", "quality", "colour", "determiner", "french"),
    [
        ("cat", "lazy", "black", "the", "le chat noir paresseux"),
        ("cat", "fat", "black", "a", "un gros chat noir"),
        ("hen", "small", "white", "my", "ma petite poule blanche"),
        ("bear", "old", "brown", "a", "un vieil ours brun"),
        ("bear", "old", "brown", "this", "ce vieil ours brun"),
        ("spider", "old", "gray", "the", "la vieille araignée grise"),
        ("spider", "patient", "gray", "the", "l'araignée grise patiente"),
        ("goose", "angry", None, "my", "mon oie en colère"),
        ("animal", None, "black", "this", "cet animal noir"),
        ("car", None, None, "our", "notre voiture"),
    ],
)
def test_adjectives_agree_and_stand_where_french_has_them(
    english: str,
    quality: str | None,
    colour: str | None,
    determiner: Determiner,
    french: str,
) -> None:
    noun = next(noun for noun in nouns() if noun.english == english)
    said = [word for word in (quality, colour) if word]
    phrase, phrase_fr = described(
        noun,
        determiner,
        adjectives()[quality] if quality else None,
        COLOURS[colour] if colour else None,
    )
    assert phrase.split() == [*phrase.split()[:1], *said, english]
    assert phrase_fr == french


def test_english_says_an_before_a_vowel() -> None:
    noun = next(noun for noun in nouns() if noun.english == "cat")
    assert described(noun, "a", adjectives()["old"], None) == ("an old cat", "un vieux chat")
    assert described(noun, "a", None, COLOURS["gray"])[0] == "a gray cat"


def test_phrase_pairs_are_distinct_and_follow_from_the_seed() -> None:
    pairs = phrase_pairs(500, seed=3)
    assert len({pair.source for pair in pairs}) == len(pairs) == 500
    assert pairs == phrase_pairs(500, seed=3)
    assert pairs[:20] != phrase_pairs(20, seed=4)
    assert phrase_pairs(0, seed=3) == []


def test_phrase_pairs_hold_no_held_out_word_and_no_quick_fox() -> None:
    held = {word.english for word in (*nouns(), *adjectives().values()) if word.held}
    said = [set(pair.source.lower().rstrip(".!").split()) for pair in phrase_pairs(4000, seed=5)]
    assert not any(held & sentence for sentence in said)
    assert not any({"quick", "fox"} <= sentence for sentence in said)
    assert any("quick" in sentence for sentence in said)
    assert any("fox" in sentence for sentence in said)


def test_most_phrase_pairs_have_a_noun_with_two_adjectives() -> None:
    qualities = adjectives().keys()
    pairs = phrase_pairs(400, seed=6)

    def twice(sentence: str) -> bool:
        said = sentence.lower().rstrip(".!").split()
        return any(a in qualities and b in COLOURS for a, b in pairwise(said))

    assert sum(twice(pair.source) for pair in pairs) > 200
