"""Real pairs with noise that people type, or in capitals, alike on both sides.

Emoji, addresses, codes and words of other scripts are copied; quotes become guillemets, marks and
prices follow French rules. A mistake of the English side alone (a wrong letter, a lost apostrophe)
leaves the French right. The tokenizer drops double spaces and straightens apostrophes itself.
"""

import random
import re
from collections.abc import Callable, Sequence
from functools import cache

from model.training.data.pairs import NEVER_TOGETHER, Pair
from model.training.data.samples import is_visitor_sentence
from model.training.generated.copied import face, foreign_word
from model.training.generated.grammar import UnsureError
from model.training.generated.slots import pool
from model.training.generated.tables import rows
from model.training.generated.visitors import filled

LONGEST = 80
"""The longest English sentence that gets noise, in characters: people type short sentences."""

_END = re.compile(r" ?([.!?])$")
_WORD = re.compile(r"[a-z]{5,}")
_QUOTED = re.compile(r"[\"«»“”()]")


def capital_pairs(corpus: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Write `count` pairs of the corpus in capitals or title case; none without a corpus."""
    return _drawn(corpus, count, random.Random(seed), _in_capitals)


def noise_pairs(corpus: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Make `count` pairs with noise, from frames and from the pairs of the corpus, if any."""
    rng = random.Random(seed)
    framed = count * 2 // 5 if corpus else count
    pairs = _drawn((Pair("", ""),), framed, rng, lambda _, rng: _from_frame(rng))
    pairs += _drawn(corpus, count - framed, rng, noisy)
    rng.shuffle(pairs)
    return pairs


def _drawn(
    corpus: Sequence[Pair],
    count: int,
    rng: random.Random,
    change: Callable[[Pair, random.Random], Pair],
) -> list[Pair]:
    pairs: list[Pair] = []
    for _ in range(20 * count if corpus else 0):
        if len(pairs) == count:
            break
        pair = rng.choice(corpus)
        if len(pair.source) > LONGEST:
            continue
        try:
            new = change(pair, rng)
        except UnsureError:
            continue
        words = set(re.findall(r"\w+", new.source.lower()))
        if not words >= NEVER_TOGETHER and not is_visitor_sentence(new.source):
            pairs.append(new)
    return pairs


def _in_capitals(pair: Pair, rng: random.Random) -> Pair:
    if rng.random() < 0.6:
        return Pair(pair.source.upper(), pair.target.upper())
    return Pair(_title(pair.source), _title(pair.target))


def _title(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


@cache
def _frames() -> tuple[tuple[str, str], ...]:
    return tuple((row["english"], row["french"]) for row in rows("noise_frames.tsv"))


@cache
def _parts(kind: str) -> tuple[tuple[str, str], ...]:
    table = rows("noise_parts.tsv")
    return tuple((row["english"], row["french"]) for row in table if row["kind"] == kind)


def _from_frame(rng: random.Random) -> Pair:
    pair = filled(*rng.choice(_frames()), rng)
    pair = Pair(pair.source.replace("m..", "m."), pair.target)  # at 3 p.m.
    draws = rng.random()
    if draws < 0.08:
        return Pair(pair.source.upper(), pair.target.upper()) if "@" not in pair.source else pair
    return noisy(pair, rng) if draws < 0.18 else pair


def _part(kind: str, rng: random.Random) -> Pair:
    """Fill a part of the table; unlike a sentence, a part may begin with a small letter."""
    english, french = rng.choice(_parts(kind))
    pair = filled(f"- {english}", f"- {french}", rng)
    return Pair(pair.source[2:], pair.target[2:])


def noisy(pair: Pair, rng: random.Random) -> Pair:
    """Put a kind of noise into a pair; UnsureError where no rule gives the French."""
    return rng.choices(list(_WAYS), list(_WAYS.values()))[0](pair, rng)


def _with_emoji(pair: Pair, rng: random.Random) -> Pair:
    sign, draws = face(rng), rng.random()
    if draws < 0.15:
        return Pair(f"{sign} {pair.source}", f"{sign} {pair.target}")
    if draws < 0.35:  # in place of the mark
        bare = _END.sub("", pair.source), _END.sub("", pair.target)
        return Pair(*(f"{text} {sign}" for text in bare))
    if draws < 0.45 and pair.source.count(", ") == pair.target.count(", ") == 1:
        return Pair(*(t.replace(", ", f" {sign}, ") for t in (pair.source, pair.target)))
    between = "" if draws > 0.9 else " "
    return Pair(pair.source + between + sign, pair.target + between + sign)


def _unquoted(pair: Pair) -> None:
    if _QUOTED.search(pair.source + pair.target):
        raise UnsureError(pair.source)


def _quoted(pair: Pair, rng: random.Random) -> Pair:
    _unquoted(pair)
    opened, closed = rng.choice((('"', '"'), ('"', '"'), ("“", "”"), ("'", "'"), ("«", "»")))
    if opened == "«":
        opened, closed = "« ", " »"
    source, target, draws = pair.source, pair.target, rng.random()
    if draws < 0.35:
        return Pair(f"{opened}{source}{closed}", f"« {target} »")
    if draws < 0.5:
        before = _part("before", rng)
        joint = rng.choice((", ", ": "))
        return Pair(
            f"{before.source}{joint}{opened}{source}{closed}", f"{before.target} : « {target} »"
        )
    mark = source[-1]
    if mark != target[-1] or mark not in ".?!":
        raise UnsureError(source)
    quotation = _part("asked" if mark == "?" else "said", rng)
    if mark == ".":
        return Pair(
            f"{opened}{source[:-1]},{closed} {quotation.source}.",
            f"« {target[:-1]} », {quotation.target}.",
        )
    return Pair(
        f"{opened}{source}{closed} {quotation.source}.", f"« {target} » {quotation.target}."
    )


def _name_in(pair: Pair, rng: random.Random) -> str:
    names = {word.english for kind in ("name", "town") for word in pool(kind)}
    common = set(re.findall(r"\w+", pair.source)) & set(re.findall(r"\w+", pair.target)) & names
    once = sorted(
        name
        for name in common
        if all(len(re.findall(rf"\b{name}\b", t)) == 1 for t in (pair.source, pair.target))
        and not re.search(rf"\b{name}['-]|\b{name} [A-Z]|[A-Z]\w+ {name}\b", pair.source)
    )
    if not once:
        raise UnsureError(pair.source)
    return rng.choice(once)


def _name_marked(pair: Pair, rng: random.Random) -> Pair:
    """Put a name in quotes or brackets, or something in brackets after it."""
    _unquoted(pair)
    name, draws = _name_in(pair, rng), rng.random()
    if draws < 0.6:
        aside = _part("person", rng)
        new = f"{name} {aside.source}", f"{name} {aside.target}"
    elif draws < 0.8:
        new = f'"{name}"', f"« {name} »"
    else:
        sign = face(rng)
        new = f"{name} {sign}", f"{name} {sign}"
    texts = zip((pair.source, pair.target), new, strict=True)
    return Pair(*(re.sub(rf"\b{name}\b", lambda _, put=put: put, text) for text, put in texts))


def _without_mark(pair: Pair) -> tuple[Pair, str]:
    """Cut off the final mark of both sides; UnsureError where the two marks differ."""
    english, french = _END.search(pair.source), _END.search(pair.target)
    if not english or not french or english[1] != french[1]:
        raise UnsureError(pair.source)
    return Pair(pair.source[: english.start()], pair.target[: french.start()]), english[1]


def _with_aside(pair: Pair, rng: random.Random) -> Pair:
    _unquoted(pair)
    if rng.random() < 0.2:
        return Pair(f"({pair.source})", f"({pair.target})")
    aside = _part("aside", rng)
    bare, mark = _without_mark(pair)
    end = mark if mark == "." else f" {mark}"
    return Pair(f"{bare.source} {aside.source}{mark}", f"{bare.target} {aside.target}{end}")


def _with_copy(pair: Pair, rng: random.Random) -> Pair:
    """Put an address, a hashtag, a code or a foreign word after or before a sentence."""
    if rng.random() < 0.15:
        word = rng.choice((foreign_word, face))(rng)
        return Pair(f"{word} {pair.source}", f"{word} {pair.target}")
    copied = _part("after", rng)
    return Pair(f"{pair.source} {copied.source}", f"{pair.target} {copied.target}")


def _with_dash(pair: Pair, rng: random.Random) -> Pair:
    start = rng.choice(("- ", "— ", "• ", "* ", "> ", f"{rng.randint(1, 20)}. ", "1) ", "a) "))
    return Pair(start + pair.source, start + pair.target)


def _with_marks(pair: Pair, rng: random.Random) -> Pair:
    """Repeat the last mark: !!! or ..."""
    bare, mark = _without_mark(pair)
    if mark == ".":
        return Pair(f"{bare.source}...", f"{bare.target}...")
    new = "?!" if mark == "?" and rng.random() < 0.3 else mark * rng.randint(2, 4)
    between = " " if rng.random() < 0.15 else ""
    return Pair(f"{bare.source}{between}{new}", f"{bare.target} {new}")


def _mistyped(pair: Pair, rng: random.Random) -> Pair:
    """Mistype the English alone: an apostrophe or comma is lost, or a letter is wrong."""
    source, draws = pair.source, rng.random()
    if draws < 0.4 and "'" in source:
        return Pair(source.replace("'", ""), pair.target)
    if draws < 0.5 and "," in source:
        return Pair(source.replace(",", "", 1), pair.target)
    words = list(_WORD.finditer(source))
    if not words:
        raise UnsureError(source)
    word = rng.choice(words)
    at = rng.randint(1, len(word[0]) - 2)
    start, end = word[0][:at], word[0][at:]
    wrong = rng.choice((start + end[1:], start + end[0] + end, start + end[1] + end[0] + end[2:]))
    return Pair(source[: word.start()] + wrong + source[word.end() :], pair.target)


_CHAT = {
    "you": "u",
    "are": "r",
    "your": "ur",
    "please": "pls",
    "thanks": "thx",
    "thank you": "ty",
    "tomorrow": "tmrw",
    "because": "cuz",
    "people": "ppl",
    "want to": "wanna",
    "going to": "gonna",
}
"""What people write for a word when they chat."""

_SPELLED_OUT = re.compile(rf"\b(?:{'|'.join(sorted(_CHAT, key=len, reverse=True))})\b")


def _as_in_a_chat(pair: Pair, rng: random.Random) -> Pair:
    """Shorten words of the English as in a chat, in small letters and mostly without marks."""
    small = pair.source.lower()
    source = _SPELLED_OUT.sub(lambda word: _CHAT[word[0]], small)
    if source == small:
        raise UnsureError(pair.source)
    if rng.random() < 0.7:
        source = _END.sub("", source.replace("'", ""))
    return Pair(source, pair.target)


_WAYS: dict[Callable[[Pair, random.Random], Pair], int] = {
    _with_emoji: 22,
    _quoted: 20,
    _name_marked: 12,
    _with_aside: 14,
    _with_copy: 12,
    _with_dash: 5,
    _with_marks: 6,
    _mistyped: 14,
    _as_in_a_chat: 8,
}
"""The kinds of noise in a pair, and how often each is chosen."""
