"""Generated Chinese-English pairs: frames, numbers, names, noise."""

import random
import re

import pytest

from model.training.data.pairs import Pair
from model.training.data.samples import TYPED_CHINESE, is_visitor_sentence
from model.training.generated.chinese import chinese_pairs, filled
from model.training.generated.chinese_noise import noisy
from model.training.generated.chinese_numbers import NUMBERS, chinese_number
from model.training.generated.chinese_words import common
from model.training.generated.tables import rows

HAN = re.compile(r"[\u3400-\u9fff。，、！？：；]")
CORPUS = (
    Pair("汤姆在这里。", "Tom is here."),
    Pair("玛丽喜欢猫吗？", "Does Mary like cats?"),
    Pair("我等你等累了！", "I'm tired of waiting for you!"),
    Pair("我们昨天去了波士顿。", "We went to Boston yesterday."),
)


@pytest.fixture(scope="module")
def many() -> list[Pair]:
    return chinese_pairs(CORPUS, 20_000, 0)


def test_pairs_follow_from_the_seed(many: list[Pair]) -> None:
    assert len(many) == 20_000
    assert chinese_pairs(CORPUS, 300, 0) == many[:300]
    assert chinese_pairs(CORPUS, 300, 1) != many[:300]
    assert len(chinese_pairs((), 50, 0)) == 50


def test_pairs_vary(many: list[Pair]) -> None:
    assert len({pair.source for pair in many}) > 0.6 * len(many)


def test_none_is_a_sentence_of_the_test_set(many: list[Pair]) -> None:
    assert not [pair for pair in many if is_visitor_sentence(pair.source)]
    corpus = [Pair(sentence, "Zzz.") for sentence in TYPED_CHINESE]
    assert all("Zzz" not in pair.target for pair in chinese_pairs(corpus, 2000, 0))


def test_no_chinese_is_left_in_the_english_and_every_slot_is_filled(many: list[Pair]) -> None:
    for pair in many:
        assert not HAN.search(pair.target), pair
        assert not re.search(r"[{}\[\]|]|  |^ | $|^$", pair.source + pair.target), pair
        assert pair.source.strip(), pair


def test_every_frame_gives_both_sides() -> None:
    rng = random.Random(0)
    ends = {"。": ".", "！": "!", "？": "?"}
    for row in rows("chinese_frames.tsv"):
        for _ in range(4):
            pair = filled(row["chinese"], row["english"], rng)
            assert pair.source
            assert re.search(r"[A-Za-z0-9]", pair.target), pair
            assert not HAN.search(pair.target), pair
            assert not re.search(r"[{}\[\]|]", pair.source + pair.target), pair
            assert ends.get(pair.source[-1], "") == pair.target[-1] * (pair.source[-1] in ends), (
                pair
            )


def test_verbs_agree_with_their_subjects() -> None:
    seen: dict[str, str] = {}
    for seed in range(400):
        pair = filled("{who}喜欢{city}。", "{who:likes} {city}.", random.Random(seed))
        subject = pair.source.split("喜欢")[0]
        seen[subject] = pair.target
    assert seen["我"].startswith("I like ")
    assert seen["他"].startswith("He likes ")
    assert seen["她们"].startswith("They like ")
    assert seen["汤姆"].startswith("Tom likes ")


def test_one_self_and_a_dropped_subject_are_those_of_the_name() -> None:
    own, tired = set(), set()
    for seed in range(400):
        rng = random.Random(seed)
        own.add(filled("{gendered}爱自己的猫。", "{gendered} loves {gendered:his} cat.", rng))
        tired.add(filled("{gendered}说很累。", "{gendered} says {gendered:other} is tired.", rng))
    men, women = (
        Pair("我爸爸爱自己的猫。", "My father loves his cat."),
        Pair("我妈妈爱自己的猫。", "My mother loves her cat."),
    )
    assert {men, women} <= own
    assert Pair("我妈妈说很累。", "My mother says she is tired.") in tired
    assert not any("mother" in pair.target and " he " in pair.target for pair in tired)


def test_what_stands_first_in_a_long_table_is_drawn_more_often() -> None:
    rng, options = random.Random(0), list(range(100))
    drawn = [common(options, rng) for _ in range(4000)]
    assert set(drawn) <= set(options)
    assert 0.45 < sum(place < 25 for place in drawn) / len(drawn) < 0.55
    few = [common(options[:7], rng) for _ in range(4000)]
    assert min(few.count(day) for day in range(7)) > 450


def test_alternatives_of_the_english_follow_the_chinese() -> None:
    pairs = {filled("很[热|冷]。", "It's [hot|cold].", random.Random(seed)) for seed in range(20)}
    assert pairs == {Pair("很热。", "It's hot."), Pair("很冷。", "It's cold.")}


@pytest.mark.parametrize(
    ("number", "chinese"),
    [
        (0, "零"),
        (10, "十"),
        (12, "十二"),
        (20, "二十"),
        (105, "一百零五"),
        (110, "一百一十"),
        (1200, "一千二百"),
        (2026, "两千零二十六"),
        (20_050, "两万零五十"),
        (100_000, "十万"),
        (3_450, "三千四百五十"),
    ],
)
def test_numbers_are_written_in_chinese(number: int, chinese: str) -> None:
    assert chinese_number(number) == chinese


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_in_digits_are_the_same_on_both_sides(kind: str) -> None:
    drawn = [NUMBERS[kind](random.Random(seed)) for seed in range(60)]
    assert drawn == [NUMBERS[kind](random.Random(seed)) for seed in range(60)]
    assert len(set(drawn)) > 10
    for chinese, english in drawn:
        assert chinese
        assert english
        assert not HAN.search(english)
        digits = "".join(re.findall(r"[1-9]", chinese))
        if kind not in ("day", "date", "year") and digits:
            assert digits == "".join(re.findall(r"[1-9]", english)), (chinese, english)


def test_brackets_and_signs_are_those_of_both_sides() -> None:
    rng = random.Random(0)
    for pair in CORPUS:
        for _ in range(300):
            new = noisy(pair, rng)
            assert new.source
            assert new.target
            for sign in "()@#":
                assert new.target.count(sign) == new.source.translate(
                    str.maketrans("（）", "()")
                ).count(sign), new
