"""Minimal pairs: alike as far as "it", which stands for another noun in each."""

from collections import Counter

import pytest

from model.training.generated.coreference import (
    MinimalPair,
    held_out_frame,
    held_out_known_frames,
    held_out_minimal_pairs,
    minimal_pairs,
    training_pairs,
)
from model.training.generated.lexicon import adjectives, nouns

UNSEEN = {noun.english for noun in nouns() if noun.held} | {
    name for name, adjective in adjectives().items() if adjective.held
}


@pytest.fixture(scope="module")
def trained() -> list[MinimalPair]:
    return minimal_pairs(300, 7)


def words(pair: MinimalPair) -> list[set[str]]:
    return [{s.antecedent_word, s.other_word, s.adjective} for s in pair.sentences]


def test_the_sentences_differ_after_it_alone_and_mean_another_noun(
    trained: list[MinimalPair],
) -> None:
    for pair in trained:
        first, second = pair.sentences
        heads = [each.source.rpartition(" it ")[0] for each in pair.sentences]
        assert heads[0] == heads[1]
        assert first.source != second.source
        assert {first.antecedent_word: first.other_word} == {
            second.other_word: second.antecedent_word
        }
        assert {first.gender, second.gender} == {"m", "f"}


def test_swapped_translations_have_the_other_pronoun_and_its_adjective(
    trained: list[MinimalPair],
) -> None:
    lexicon = adjectives()
    for pair in trained:
        for sentence, swapped in zip(pair.sentences, pair.swapped, strict=True):
            other = "f" if sentence.gender == "m" else "m"
            clause, _, reason = sentence.target.rpartition(" parce qu'")
            assert swapped.startswith(f"{clause} parce qu'{'elle' if other == 'f' else 'il'} ")
            assert swapped.endswith(f"{lexicon[sentence.adjective].french(other)}.")
            pronoun = "il" if sentence.gender == "m" else "elle"
            assert reason.startswith(f"{pronoun} ")


def test_both_orders_come_up_and_a_seed_says_which(trained: list[MinimalPair]) -> None:
    orders = Counter(pair.sentences[0].antecedent for pair in trained)
    assert min(orders["first"], orders["second"]) > 100
    assert minimal_pairs(5, 7) == trained[:5]
    assert minimal_pairs(5, 8) != trained[:5]


def test_training_has_no_word_that_is_held_out(trained: list[MinimalPair]) -> None:
    assert not any(said & UNSEEN for pair in trained for said in words(pair))


def test_held_out_pairs_have_an_unseen_word_in_each_sentence_or_the_unseen_frame() -> None:
    known, frame = (held_out_minimal_pairs(60, unseen_frame=unseen) for unseen in (False, True))
    assert len({pair.sentences for pair in known}) == 60
    assert all(said & UNSEEN for pair in known for said in words(pair))
    assert not any(said & UNSEEN for pair in frame for said in words(pair))
    frames = {pair.frame for pair in held_out_frame()}
    assert {s.frame for pair in frame for s in pair.sentences} == frames
    assert not frames & {pair.frame for pair in [*held_out_known_frames(), *training_pairs(100, 0)]}
