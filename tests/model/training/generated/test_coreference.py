import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from model.training.generated import coreference, lexicon
from model.training.generated.coreference import (
    CoreferencePair,
    held_out_frame,
    held_out_known_frames,
    training_pairs,
)
from model.training.generated.frames import FRAMES
from model.training.generated.lexicon import adjectives, nouns

NOUNS = {noun.english: noun for noun in nouns()}


@pytest.fixture(scope="module")
def training() -> list[CoreferencePair]:
    return training_pairs(16_000, 0)


@pytest.fixture(scope="module")
def known() -> list[CoreferencePair]:
    return held_out_known_frames()


@pytest.fixture(scope="module")
def unseen() -> list[CoreferencePair]:
    return held_out_frame()


@pytest.fixture(scope="module")
def every(
    training: list[CoreferencePair],
    known: list[CoreferencePair],
    unseen: list[CoreferencePair],
) -> list[CoreferencePair]:
    return training + known + unseen


def table(name: str) -> list[list[str]]:
    path = Path(lexicon.__file__).parent / name
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))[1:]


def test_the_demo_adjectives_and_nouns_are_on_the_training_side() -> None:
    assert not any(adjectives()[word].held for word in ("tired", "wide"))
    assert not any(NOUNS[word].held for word in ("animal", "street", "road"))


def test_the_demo_words_are_trained_but_never_together(every: list[CoreferencePair]) -> None:
    assert any(re.search(r"\banimal\b", pair.source) for pair in every)
    assert any(re.search(r"\bstreet\b", pair.source) for pair in every)
    for pair in every:
        assert not re.search(r"\banimal\b.*\bstreet\b|\bstreet\b.*\banimal\b", pair.source)
        assert not re.search(r"\banimal\b.*\brue\b", pair.target)


def test_training_has_only_training_words_and_frames(training: list[CoreferencePair]) -> None:
    held_frames = {frame.name for frame in FRAMES if frame.held}
    assert len(held_frames) == 1
    for pair in training:
        assert pair.frame not in held_frames
        assert not NOUNS[pair.antecedent_word].held
        assert not NOUNS[pair.other_word].held
        assert not adjectives()[pair.adjective].held


def test_held_out_words_stand_in_no_training_sentence(training: list[CoreferencePair]) -> None:
    seen = {word for pair in training for word in re.findall(r"\w+", pair.source.lower())}
    held = {noun.english for noun in nouns() if noun.held}
    held |= {word for word, adjective in adjectives().items() if adjective.held}
    assert not held & seen
    assert "eat" not in seen


def test_held_out_pairs_have_an_unseen_word_in_a_known_frame(
    known: list[CoreferencePair],
) -> None:
    frames = {frame.name for frame in FRAMES if not frame.held}
    assert {pair.frame for pair in known} == frames
    for pair in known:
        noun = NOUNS[pair.antecedent_word].held or NOUNS[pair.other_word].held
        assert noun or adjectives()[pair.adjective].held


def test_the_held_out_frame_has_only_known_words(unseen: list[CoreferencePair]) -> None:
    assert {pair.frame for pair in unseen} == {"eat"}
    for pair in unseen:
        assert not NOUNS[pair.antecedent_word].held
        assert not NOUNS[pair.other_word].held
        assert not adjectives()[pair.adjective].held


def test_sets_are_disjoint_and_have_no_repeated_sentence(every: list[CoreferencePair]) -> None:
    assert len({pair.source for pair in every}) == len(every)


def test_the_lexicon_holds_out_a_fifth_of_the_nouns_and_of_the_adjectives() -> None:
    held_nouns = sum(noun.held for noun in nouns()) / len(nouns())
    held_adjectives = sum(entry.held for entry in adjectives().values()) / len(adjectives())
    assert held_nouns == pytest.approx(0.2, abs=0.01)
    assert held_adjectives == pytest.approx(0.2, abs=0.01)
    genders = Counter(noun.gender for noun in nouns())
    assert min(genders.values()) >= 80
    assert len(adjectives()) >= 80


def test_the_sets_are_large_enough(
    known: list[CoreferencePair], unseen: list[CoreferencePair]
) -> None:
    assert len(known) >= 400
    assert len(unseen) >= 300
    assert len([frame for frame in FRAMES if not frame.held]) >= 10


@pytest.mark.parametrize("name", ["training", "known", "unseen"])
def test_role_and_gender_are_balanced_in_every_frame(
    name: str, request: pytest.FixtureRequest
) -> None:
    pairs: list[CoreferencePair] = request.getfixturevalue(name)
    for frame in {pair.frame for pair in pairs}:
        cells = Counter((p.antecedent, p.gender) for p in pairs if p.frame == frame)
        assert len(cells) == 4
        assert max(cells.values()) - min(cells.values()) <= 4


def test_the_other_noun_mostly_differs_in_gender(
    training: list[CoreferencePair],
    known: list[CoreferencePair],
    unseen: list[CoreferencePair],
) -> None:
    def differing(pairs: list[CoreferencePair]) -> float:
        differs = [
            NOUNS[pair.antecedent_word].gender != NOUNS[pair.other_word].gender for pair in pairs
        ]
        return sum(differs) / len(differs)

    assert 0.75 < differing(training) < 0.85
    assert differing(known) == 1
    assert differing(unseen) == 1


def test_an_adjective_said_of_both_nouns_is_used_only_where_the_role_decides() -> None:
    for frame in FRAMES:
        if not frame.role_decides:
            for core in coreference._cores(frame):
                assert core.adjective.english not in core.other.adjectives


def test_where_the_role_decides_no_adjective_decides_both_ways() -> None:
    for frame in FRAMES:
        for cast in frame.casts:
            assert not set(cast.because_first) & set(cast.because_second), frame.name


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    assert training_pairs(400, 7) == training_pairs(400, 7)
    assert training_pairs(400, 7) != training_pairs(400, 8)
    assert held_out_known_frames() == held_out_known_frames()
    assert held_out_frame() == held_out_frame()


@pytest.mark.parametrize("count", [0, 1, 7, 500])
def test_as_many_pairs_come_as_were_asked_for(count: int) -> None:
    assert len(training_pairs(count, 1)) == count


def test_asking_for_more_than_there_are_says_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = tuple(frame for frame in FRAMES if frame.name == "break_with")
    monkeypatch.setattr(coreference, "FRAMES", few)
    with pytest.raises(ValueError, match=r"90000 training pairs asked for, expected at most \d+"):
        training_pairs(90_000, 0)


def test_the_dominant_wording_is_the_one_everybody_tries(
    training: list[CoreferencePair],
) -> None:
    crossings = [pair for pair in training if pair.frame == "cross"]
    plain = [
        pair
        for pair in crossings
        if re.fullmatch(r"The \w+ didn't cross the \w+ because it was (?:too )?.*", pair.source)
    ]
    assert len(plain) > 0.4 * len(crossings)
    assert Counter(pair.frame for pair in training).most_common(1)[0][0] == "cross"


def test_the_noun_table_names_each_word_once_and_only_known_adjectives() -> None:
    rows = table("nouns.tsv")
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[2] for row in rows} == {"m", "f"}
    assert {row[3] for row in rows} == {"train", "held"}
    for noun in nouns():
        assert noun.adjectives <= set(adjectives()), noun.english


def test_the_adjective_table_names_each_word_once() -> None:
    rows = table("adjectives.tsv")
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[3] for row in rows} == {"être", "avoir"}
    assert {row[5] for row in rows} == {"train", "held"}


def test_every_class_and_adjective_a_cast_names_exists() -> None:
    classes = {name for noun in nouns() for name in noun.classes}
    for frame in FRAMES:
        for cast in frame.casts:
            assert set(cast.because_first) | set(cast.because_second) <= set(adjectives())
            if not cast.kin:
                assert {cast.first, cast.second} <= classes


def test_every_training_noun_and_adjective_is_used(training: list[CoreferencePair]) -> None:
    words = {pair.antecedent_word for pair in training} | {pair.other_word for pair in training}
    assert {noun.english for noun in nouns() if not noun.held} <= words
    used = {pair.adjective for pair in training}
    assert {word for word, entry in adjectives().items() if not entry.held} <= used
