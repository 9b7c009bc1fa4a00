"""Noise in Chinese-English pairs that people type, alike on both sides.

Emoji, addresses, codes and Latin words are copied; 《》 and “” become English quotes, and marks are
repeated. Marks that the Chinese side alone lacks, or that are half-width, leave the English right.
"""

import random
import re
from collections.abc import Callable

from model.training.data.pairs import Pair
from model.training.generated.chinese_words import terms
from model.training.generated.copied import COPIED, face
from model.training.generated.frame import words

_MARKS = {"。": ".", "！": "!", "？": "?", ".": ".", "!": "!", "?": "?"}
_HALF = str.maketrans("。！？，：；（）", ".!?,:;()")
_ALL_MARKS = re.compile(r"[。！？，、：；…“”\"（）()《》.!?,]")
_BRACKETED = re.compile(r"[\"“”（）()《》「」]")
_BETWEEN = re.compile(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])")
_LATIN = words("OK iPhone Windows Python Transformer PyTorch GitHub Google WeChat NBA BBC USA IBM")
_ASIDES = (
    ("我的哥哥", "my older brother"), ("我的朋友", "my friend"), ("真的", "really"),
    ("我觉得", "I think"), ("谢谢", "thanks"), ("昨天", "yesterday"), ("明天", "tomorrow"),
    ("当然", "of course"), ("也许", "maybe"), ("不开玩笑", "no joke"), ("北京", "Beijing"),
    ("中国", "China"), ("用中文", "in Chinese"), ("我希望", "I hope"), ("还没有", "not yet"),
    ("免费", "free"), ("他的老师", "his teacher"), ("今天", "today"), ("上海", "Shanghai"),
)  # fmt: skip
_SAID = (
    ("老师说", "The teacher said"), ("汤姆说", "Tom said"), ("妈妈说", "My mother said"),
    ("小明说", "Xiao Ming said"), ("玛丽说", "Mary said"), ("他说", "He said"),
    ("她说", "She said"), ("我说", "I said"), ("他们说", "They said"),
)  # fmt: skip


def noisy(pair: Pair, rng: random.Random) -> Pair:
    """Put a kind of noise into a pair, or return it unchanged where that kind does not fit."""
    return rng.choices(list(_WAYS), list(_WAYS.values()))[0](pair, rng)


def _unmarked(pair: Pair) -> tuple[Pair, tuple[str, str]]:
    """Cut off the final mark of both sides, if both have the same one."""
    last, english = pair.source[-1:], pair.target[-1:]
    if english and _MARKS.get(last) == english:
        return Pair(pair.source[:-1], pair.target[:-1]), (last, english)
    return pair, ("", "")


def _bare(pair: Pair, rng: random.Random) -> Pair:
    """Take the marks from the Chinese side, and sometimes the final mark from the English."""
    short, (mark, _) = _unmarked(pair)
    if not mark:
        return pair
    draws = rng.random()
    if draws < 0.35:
        return Pair(short.source, pair.target)
    if draws < 0.6:
        return short
    if draws < 0.8:
        return Pair(" ".join(_ALL_MARKS.sub(" ", short.source).split()), pair.target)
    return Pair(_ALL_MARKS.sub("", short.source), pair.target) if "，" in pair.source else short


def _half_width(pair: Pair, rng: random.Random) -> Pair:
    source = pair.source.translate(_HALF)
    return Pair(source.replace(",", ", ") if rng.random() < 0.5 else source, pair.target)


def _with_emoji(pair: Pair, rng: random.Random) -> Pair:
    sign, draws = face(rng), rng.random()
    between = "" if rng.random() < 0.6 else " "
    if draws < 0.15:
        return Pair(f"{sign}{between}{pair.source}", f"{sign} {pair.target}")
    if draws < 0.5:
        pair, _ = _unmarked(pair)
    return Pair(f"{pair.source}{between}{sign}", f"{pair.target} {sign}")


def _quoted(pair: Pair, rng: random.Random) -> Pair:
    if _BRACKETED.search(pair.source + pair.target):
        return pair
    opened, closed = rng.choice(("“”", "“”", "“”", '""', '""', "「」"))
    quotes = ("“", "”") if opened == "“" and rng.random() < 0.5 else ('"', '"')
    if rng.random() < 0.5:
        return Pair(f"{opened}{pair.source}{closed}", f"{quotes[0]}{pair.target}{quotes[1]}")
    chinese, english = rng.choice(_SAID)
    return Pair(
        f"{chinese}{rng.choice('：，')}{opened}{pair.source}{closed}",
        f"{english}, {quotes[0]}{pair.target}{quotes[1]}",
    )


def _bracketed(pair: Pair, rng: random.Random) -> Pair:
    if _BRACKETED.search(pair.source + pair.target):
        return pair
    opened, closed = rng.choice(("（）", "（）", "()"))
    if rng.random() < 0.25:
        return Pair(f"{opened}{pair.source}{closed}", f"({pair.target})")
    short, (mark, english_mark) = _unmarked(pair)
    chinese, english = rng.choice(_ASIDES)
    if rng.random() < 0.25:
        chinese = english = str(rng.randint(1, 2030))
    return Pair(
        f"{short.source}{opened}{chinese}{closed}{mark}",
        f"{short.target} ({english}){english_mark}",
    )


_NAMED = ("western_m", "western_f", "city", "nickname")


def _name_marked(pair: Pair, rng: random.Random) -> Pair:
    """Put a name of the pair into quotes or brackets, or an aside after it."""
    names = [
        term
        for kind in _NAMED
        for term in terms(kind)
        if pair.source.count(term.chinese) == 1 and pair.target.count(term.english) == 1
    ]
    if not names or _BRACKETED.search(pair.source + pair.target):
        return pair
    name = max(names, key=lambda term: len(term.chinese))
    if not re.search(rf"\b{re.escape(name.english)}(?!['\w])", pair.target):
        return pair
    draws = rng.random()
    if draws < 0.5:
        chinese, english = rng.choice(_ASIDES)
        new = f"{name.chinese}（{chinese}）", f"{name.english} ({english})"
    elif draws < 0.85:
        opened, closed = rng.choice(("“”", '""'))
        new = f"{opened}{name.chinese}{closed}", f'"{name.english}"'
    else:
        sign = face(rng)
        new = f"{name.chinese}{sign}", f"{name.english} {sign}"
    return Pair(
        pair.source.replace(name.chinese, new[0]), pair.target.replace(name.english, new[1])
    )


def _with_copy(pair: Pair, rng: random.Random) -> Pair:
    kind = rng.choice(("email", "address", "hashtag", "mention", "code", "code", "latin"))
    copied = rng.choice(_LATIN) if kind == "latin" else COPIED[kind](rng)[0]
    draws = rng.random()
    if draws < 0.2:
        return Pair(f"{copied} {pair.source}", f"{copied} {pair.target}")
    if draws < 0.4:
        return Pair(f"{copied}：{pair.source}", f"{copied}: {pair.target}")
    return Pair(f"{pair.source}{rng.choice(('', ' '))}{copied}", f"{pair.target} {copied}")


def _with_marks(pair: Pair, rng: random.Random) -> Pair:
    short, (mark, english) = _unmarked(pair)
    if not mark:
        return pair
    if english == ".":
        return Pair(short.source + rng.choice(("……", "...", "…", "。。。")), f"{short.target}...")
    if rng.random() < 0.2:
        return Pair(f"{short.source}？！", f"{short.target}?!")
    many = rng.randint(2, 4)
    return Pair(short.source + mark * many, short.target + english * many)


def _with_start(pair: Pair, rng: random.Random) -> Pair:
    number = rng.randint(1, 20)
    chinese, english = rng.choice(
        (("- ", "- "), ("— ", "— "), ("• ", "• "), (f"{number}. ", f"{number}. "),
         (f"{number}、", f"{number}. "), (f"（{number}）", f"({number}) "), ("a) ", "a) "),
         ("* ", "* "))
    )  # fmt: skip
    return Pair(chinese + pair.source, english + pair.target)


def _spaced(pair: Pair, rng: random.Random) -> Pair:
    """Put spaces between all Chinese characters, or a single one."""
    at = [match.start() for match in _BETWEEN.finditer(pair.source)]
    if not at:
        return pair
    if rng.random() < 0.4:
        return Pair(_BETWEEN.sub(" ", pair.source), pair.target)
    place = rng.choice(at)
    return Pair(f"{pair.source[:place]} {pair.source[place:]}", pair.target)


_WAYS: dict[Callable[[Pair, random.Random], Pair], int] = {
    _with_emoji: 20,
    _bare: 22,
    _half_width: 12,
    _quoted: 12,
    _bracketed: 10,
    _name_marked: 8,
    _with_copy: 10,
    _with_marks: 8,
    _with_start: 5,
    _spaced: 5,
}
"""The kinds of noise, and how often each is chosen."""
