"""A second sentence to compare one with: the same but for one word, tried with the model."""

import re
from collections.abc import Iterator
from itertools import islice

from model.words import is_unspaced, words_of
from viz.compute import examples, pairs, runs
from viz.compute.models import kept

MOST = 6
"""The most sentences that are tried: each takes a translation."""

DECIDED = 0.5
"""The probability from which a piece decides a translation."""

_SWAPS = {
    "en": (
        "father mother|brother sister|son daughter|boy girl|man woman|king queen|husband wife|"
        "uncle aunt|grandfather grandmother|brothers sisters|boys girls|men women|Tom Mary|"
        "big small|hot cold|old young|good bad|long short|heavy light|full empty|new old|"
        "happy sad|tired hungry|open closed|early late|easy difficult|right wrong|rich poor|"
        "fast slow|strong weak|black white|red green|beautiful ugly|"
        "book letter|car train|house garden|city village|dog cat|soup bread|sun moon|"
        "he she|him her|himself herself|his her|her his|my your|our their|I you|we they|us them|"
        "always never|often never|today yesterday|tomorrow yesterday|morning evening|"
        "love hate|loves hates|loved hated|bought sold|opened closed|came left|"
        "two three|three four|four five|before after|with without|"
        "is was|are were|has had|have had|does did|do did|can must|will must|the a"
    ),
    "zh": (
        "爸爸 妈妈|父亲 母亲|哥哥 姐姐|弟弟 妹妹|儿子 女儿|男孩 女孩|男人 女人|丈夫 妻子|爷爷 奶奶|"
        "汤姆 玛丽|他 她|他们 她们|老师 学生|猫 狗|大 小|热 冷|高 矮|长 短|新 旧|好 坏|快 慢|早 晚|"
        "累 饿|高兴 难过|书 信|苹果 鸡蛋|中国 法国|北京 上海|我 你|我们 他们|今天 昨天|明天 昨天|"
        "早上 晚上|总是 从不|喜欢 讨厌|买 卖|打开 关上|来 去|一 两|两 三|三 四|很 不"
    ),
}
"""Words that can stand for each other, those that other words agree with first, by language."""


@kept
def second_for(sentence: str) -> str:
    """Return a sentence to compare this one with; "" where the model writes no other translation.

    A well-known pair has its own. Otherwise one word is exchanged for another one, such that both
    translations part at a sure piece or, failing that, at the surest that was tried.
    """
    for pair in examples.current().pairs:
        if pair.first == sentence:
            return pair.second
    best, sure = "", 0.0
    try:
        own = runs.run(sentence).translation.ids
    except ValueError:
        return ""
    for other in islice(_others(sentence), MOST):
        if runs.run(other).translation.ids == own:
            continue
        pair = pairs.pair(sentence, other)
        decided = min(pair.first.likely[0], pair.second.likely[1])
        if decided > sure:
            best, sure = other, decided
        if sure >= DECIDED:
            break
    return best


def _others(sentence: str) -> Iterator[str]:
    """Yield the sentence with one word exchanged for one that it lacks, of those it has once."""
    source = runs.source(sentence)
    words = [word.text for word in words_of(source.tokens)]
    small = [word.lower() for word in words]
    for text, other in _swaps(examples.current().source):
        if small.count(text) != 1 or other.lower() in small:
            continue
        word = words[small.index(text)]
        places = re.findall(_alone(word), source.text)
        if len(places) == 1:
            yield re.sub(_alone(word), _like(word, other), source.text)


def _alone(word: str) -> str:
    """Return a pattern for a word between no other letters; Chinese has no spaces."""
    return word if is_unspaced(word) else rf"\b{re.escape(word)}\b"


def _swaps(language: str) -> Iterator[tuple[str, str]]:
    """Yield the words in small letters, each with what can stand in its place."""
    for pair in _SWAPS.get(language, "").split("|"):
        one, _space, other = pair.partition(" ")
        yield one.lower(), other
        yield other.lower(), one


def _like(word: str, other: str) -> str:
    """Write another word in the capitals of a word."""
    if word.isupper() and len(word) > 1:
        return other.upper()
    return other[:1].upper() + other[1:] if word[:1].isupper() else other
