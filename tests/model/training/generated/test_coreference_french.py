import random
import re
import unicodedata

import pytest

from model.training.generated import coreference
from model.training.generated.coreference import (
    CoreferencePair,
    held_out_frame,
    held_out_known_frames,
    training_pairs,
)
from model.training.generated.frames import FRAMES
from model.training.generated.lexicon import adjectives, contracted, noun_phrase, nouns

NOUNS = {noun.english: noun for noun in nouns()}
VOWEL = "[aàâäeéèêëhiîïoôöuùûüœ]"


@pytest.fixture(scope="module")
def every() -> list[CoreferencePair]:
    return training_pairs(16_000, 0) + held_out_known_frames() + held_out_frame()


def say(frame: str, first: str, second: str, adjective: str) -> set[tuple[str, str]]:
    """Every wording without this, my or our that the generator could give these words."""
    found: set[tuple[str, str]] = set()
    for candidate in FRAMES:
        if candidate.name != frame:
            continue
        for core in coreference._cores(candidate):
            words = (core.first.english, core.second.english, core.adjective.english)
            if words == (first, second, adjective):
                rng = random.Random(0)
                pairs = (coreference._word(core, rng) for _ in range(600))
                found |= {(pair.source, pair.target) for pair in pairs}
    return found


@pytest.mark.parametrize(
    ("frame", "first", "second", "adjective", "source", "target"),
    [
        (
            "cross",
            "dog",
            "street",
            "tired",
            "The dog didn't cross the street because it was too tired.",
            "Le chien n'a pas traversé la rue parce qu'il était trop fatigué.",
        ),
        (
            "cross",
            "goat",
            "road",
            "wide",
            "The goat didn't cross the road because it was too wide.",
            "La chèvre n'a pas traversé la route parce qu'elle était trop large.",
        ),
        (
            "cross",
            "spider",
            "highway",
            "hungry",
            "The spider didn't cross the highway because it was too hungry.",
            "L'araignée n'a pas traversé l'autoroute parce qu'elle avait trop faim.",
        ),
        (
            "enter",
            "cow",
            "garden",
            "lazy",
            "The cow didn't enter the garden because it was too lazy.",
            "La vache n'est pas entrée dans le jardin parce qu'elle était trop paresseuse.",
        ),
        (
            "enter",
            "dog",
            "church",
            "closed",
            "The dog didn't enter the church because it was closed.",
            "Le chien n'est pas entré dans l'église parce qu'elle était fermée.",
        ),
        (
            "go_to",
            "turtle",
            "park",
            "crowded",
            "The turtle didn't go to the park because it was too crowded.",
            "La tortue n'est pas allée au parc parce qu'il était trop bondé.",
        ),
        (
            "go_to",
            "cat",
            "stable",
            "old",
            "The cat can't go to the stable because it is too old.",
            "",
        ),
        (
            "hide",
            "mouse",
            "cave",
            "dark",
            "The mouse hid in the cave because it was dark.",
            "La souris s'est cachée dans la grotte parce qu'elle était sombre.",
        ),
        (
            "jump_over",
            "frog",
            "stream",
            "wide",
            "The frog won't jump over the stream because it is too wide.",
            "La grenouille ne sautera pas par-dessus le ruisseau parce qu'il est trop large.",
        ),
        (
            "fit_in",
            "trophy",
            "suitcase",
            "big",
            "The trophy doesn't fit in the suitcase because it is too big.",
            "Le trophée ne rentre pas dans la valise parce qu'il est trop grand.",
        ),
        (
            "fit_in",
            "trophy",
            "suitcase",
            "small",
            "The trophy didn't fit in the suitcase because it was too small.",
            "Le trophée ne rentrait pas dans la valise parce qu'elle était trop petite.",
        ),
        (
            "buy",
            "skirt",
            "hat",
            "expensive",
            "She bought the skirt instead of the hat because it was too expensive.",
            "Elle a acheté la jupe au lieu du chapeau parce qu'il était trop cher.",
        ),
        (
            "buy",
            "apple",
            "orange",
            "cheaper",
            "I bought the apple instead of the orange because it was cheaper.",
            "J'ai acheté la pomme au lieu de l'orange parce qu'elle était moins chère.",
        ),
        (
            "break_with",
            "window",
            "hammer",
            "heavy",
            "Tom broke the window with the hammer because it was heavy.",
            "Tom a cassé la fenêtre avec le marteau parce qu'il était lourd.",
        ),
        (
            "eat",
            "animal",
            "meat",
            "salty",
            "The animal didn't eat the meat because it was too salty.",
            "L'animal n'a pas mangé la viande parce qu'elle était trop salée.",
        ),
    ],
)
def test_sentences_read_as_a_person_would_write_them(
    frame: str, first: str, second: str, adjective: str, source: str, target: str
) -> None:
    written = say(frame, first, second, adjective)
    if target:
        assert (source, target) in written
    else:  # the stable may be old too: the sentence would not say which
        assert not written


def test_the_pronoun_agrees_with_the_antecedent(every: list[CoreferencePair]) -> None:
    for pair in every:
        reason = re.search(r"parce qu'(il|elle) (?:était|est|avait|a) ", pair.target)
        assert reason, pair.target
        assert reason[1] == ("il" if pair.gender == "m" else "elle")
        assert NOUNS[pair.antecedent_word].gender == pair.gender


def test_the_adjective_agrees_with_the_antecedent(every: list[CoreferencePair]) -> None:
    for pair in every:
        form = adjectives()[pair.adjective].french(pair.gender)
        assert pair.target.endswith(f" {form}."), pair.target


def test_the_named_antecedent_stands_where_the_role_says(every: list[CoreferencePair]) -> None:
    for pair in every:
        words = re.findall(r"\w+", pair.source.split(" because ")[0])
        antecedent, other = words.index(pair.antecedent_word), words.index(pair.other_word)
        assert (antecedent < other) == (pair.antecedent == "first"), pair.source


def test_participles_agree_with_the_subject_after_be_and_not_after_have(
    every: list[CoreferencePair],
) -> None:
    for pair in every:
        first = pair.antecedent_word if pair.antecedent == "first" else pair.other_word
        for participle in re.findall(r"(?:n'est pas|s'est) (\w+)", pair.target):
            assert participle.endswith("ée") == (NOUNS[first].gender == "f"), pair.target
        for participle in re.findall(r"\b(?:n'a pas|a|ai) (traversé\w*|cassé\w*)", pair.target):
            assert participle.endswith("é"), pair.target


def test_french_elides_and_contracts(every: list[CoreferencePair]) -> None:
    wrong = [
        rf"\b(?:le|la|de|ne|je|que|se|ce|ma|me) {VOWEL}",
        r"\b(?:de|à) les?\b",
        r"\bl'(?!" + VOWEL + ")",
        r"\bcet (?!" + VOWEL + ")",
        r"' | '|  | \.|[\u2019\u02bc]",
    ]
    for pair in every:
        for pattern in wrong:
            assert not re.search(pattern, pair.target, re.IGNORECASE), (pattern, pair.target)


def test_text_is_normalised_and_has_one_full_stop(every: list[CoreferencePair]) -> None:
    for pair in every:
        assert pair.source.isascii()
        for text in (pair.source, pair.target):
            assert unicodedata.is_normalized("NFKC", text)
            assert re.fullmatch(r"[A-Z][^.{}]+\.", text), text


def test_negation_has_both_halves(every: list[CoreferencePair]) -> None:
    for pair in every:
        negative = re.search(r"n't ", pair.source) is not None
        assert (re.search(r"\b(?:ne |n')\S.* ?pas\b", pair.target) is not None) == negative
        assert pair.target.count(" pas ") == int(negative), pair.target


def test_the_tense_of_the_reason_is_that_of_the_source(every: list[CoreferencePair]) -> None:
    for pair in every:
        past = re.search(r"qu'(?:il|elle) (?:était|avait) ", pair.target) is not None
        assert past == (" because it was " in pair.source), pair.target


def test_noun_phrases_take_the_right_determiner() -> None:
    assert noun_phrase(NOUNS["animal"]) == "l'animal"
    assert noun_phrase(NOUNS["animal"], "this") == "cet animal"
    assert noun_phrase(NOUNS["team"], "my") == "mon équipe"
    assert noun_phrase(NOUNS["cow"], "my") == "ma vache"
    assert noun_phrase(NOUNS["spider"], "this") == "cette araignée"
    assert noun_phrase(NOUNS["hotel"]) == "l'hôtel"


def test_prepositions_contract_with_le_only() -> None:
    assert contracted("à", "le parc") == "au parc"
    assert contracted("de", "le pain") == "du pain"
    assert contracted("de", "la table") == "de la table"
    assert contracted("à", "l'hôtel") == "à l'hôtel"
    assert contracted("de", "ce livre") == "de ce livre"
