from collections import Counter

from model.training.generated.coreference import (
    held_out_frame,
    held_out_known_frames,
    training_pairs,
)
from model.training.generated.lexicon import adjectives, nouns
from model.training.generated.second_set import SIZE, second_set


def test_it_has_words_that_no_other_sentence_has() -> None:
    pairs = second_set()
    words = {word for p in pairs for word in (p.antecedent_word, p.other_word, p.adjective)}
    assert not words & {noun.english for noun in nouns()}
    assert not words & set(adjectives())
    others = [*training_pairs(4000, 0), *held_out_known_frames(), *held_out_frame()]
    used = {w for p in others for w in p.source.rstrip(".").lower().split()}
    assert not used & {part for word in words for part in word.split()} - {"lot"}


def test_roles_and_genders_are_balanced_and_no_sentence_comes_twice() -> None:
    pairs = second_set()
    assert len({pair.source for pair in pairs}) == len(pairs) == SIZE
    assert Counter(pair.antecedent for pair in pairs) == {"first": 200, "second": 200}
    genders = Counter(pair.gender for pair in pairs)
    assert min(genders.values()) > 0.4 * SIZE
    assert second_set() == pairs


def test_the_pronoun_agrees_with_the_antecedent() -> None:
    for pair in second_set():
        assert (" parce qu'elle " in pair.target) == (pair.gender == "f")
        assert (" parce qu'il " in pair.target) == (pair.gender == "m")
        assert pair.source.index(pair.antecedent_word) < pair.source.index(" because it ")


def test_sentences_read_as_a_person_would_write_them() -> None:
    found = {pair.source: pair.target for pair in second_set()}
    some = [(en, fr) for en, fr in found.items() if "otter" in en or "ostrich" in en]
    assert all(
        ("La loutre " in fr) == ("otter" in en) and ("L'autruche " in fr) == ("ostrich" in en)
        for en, fr in some
    )
    assert some
