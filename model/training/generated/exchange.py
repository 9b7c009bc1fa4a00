"""New pairs from real ones: a name, town, number, time or year exchanged on both sides.

Two thirds of the names in real pairs are Tom and Mary, and a model trained only on these writes Tom
where it should copy a name. A pair is used only if both sides have the same names and numbers
equally often. It is left out where no rule is sure of the French.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from model.training.data.pairs import NEVER_TOGETHER, Pair
from model.training.data.samples import is_visitor_sentence
from model.training.generated.grammar import UnsureError, capitalised, name_begins_with_vowel
from model.training.generated.numerals import grouped
from model.training.generated.slots import BRAND, Word, draw, pool

Kind = Literal["name", "town", "number", "time"]

_SHARES: dict[Kind, int] = {"name": 42, "town": 15, "number": 33, "time": 10}

BRANDS = 0.12
"""The share of names that brands replace, half of them invented: IBM, YouTube."""

_NAME = re.compile(r"(?<![\w-])[A-ZÀ-Ý][\w]+(?:[ -][A-ZÀ-Ý][\w]+)*")
_BEFORE = re.compile(r"(?:\b(\w*[dD]e|\w*[qQ]ue) |\b(\w*[dD]|\w*[qQ]u)')$")
"""Words that are elided before a name: de, que, and words that end in que."""
_UNSAFE_BEFORE = re.compile(
    r"(?:\b(?:[lL][aei]s?|[uU]ne?|[cC]et?t?e?|[ae]u|du|en|an?|the) |[lj]')$"
)
_ENGLISH_NUMBER = re.compile(r"(?<![\w.,:/$£€-])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w/:-]|[.,]\d)")
_FRENCH_NUMBER = re.compile(r"(?<![\w.,:/-])(?:\d{1,3}(?:[ .]\d{3})+|\d+)(?![\w/:-]|[.,]\d| h\b)")
_ENGLISH_TIME = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?![\d:])")
_FRENCH_TIME = re.compile(r"(?<!\d)(\d{1,2}) ?h ?(\d\d)(?!\d)")
_PART_OF_DAY = re.compile(
    r"\b(?:[ap]\.?m\b|morning|afternoon|evening|night|tonight|noon|lunch|dinner|breakfast)", re.I
)
_SMALL = re.compile(
    r"\b(?:clock|Jan\w+|Feb\w+|March|April|May|June|July|Aug\w+|Sept\w+|Oct\w+|Nov\w+|Dec\w+)\b"
)
_YEAR = re.compile(r"1[5-9]\d\d|20[0-3]\d")


class Exchange:
    """The pairs of a corpus, grouped by what can be exchanged in them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs: dict[Kind, list[Pair]] = {}
        for kind in _SHARES:
            self._pairs[kind] = []
        for pair in pairs:
            for kind in _kinds(pair):
                self._pairs[kind].append(pair)

    def draw(self, count: int, seed: int) -> list[Pair]:
        """Make `count` new pairs, in random order; fewer from a corpus with few suitable pairs."""
        rng = random.Random(seed)
        kinds: list[Kind] = [kind for kind in _SHARES if self._pairs[kind]]
        weights = [_SHARES[kind] for kind in kinds]
        new_pairs: list[Pair] = []
        for _ in range(20 * count if kinds else 0):
            if len(new_pairs) == count:
                break
            kind = rng.choices(kinds, weights)[0]
            pair = rng.choice(self._pairs[kind])
            new = exchanged_in(pair, kind, rng)
            if new and _allowed(new):
                new_pairs.append(new)
        return new_pairs


def exchanged(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Make new pairs from real ones, as `Exchange(pairs).draw(count, seed)` does."""
    return Exchange(pairs).draw(count, seed)


def exchanged_in(pair: Pair, kind: Kind, rng: random.Random) -> Pair | None:
    """Exchange everything of a kind in a pair; None where no rule is sure of the result."""
    if kind == "time":
        return _with_times(pair, rng)
    if kind == "number":
        return _with_numbers(pair, rng)
    return _with_names(pair, kind, rng)


def _allowed(pair: Pair) -> bool:
    together = set(re.findall(r"\w+", pair.source.lower())) >= NEVER_TOGETHER
    return not together and not is_visitor_sentence(pair.source)


def _kinds(pair: Pair) -> Iterator[Kind]:
    if _named(pair, "name"):
        yield "name"
    if _named(pair, "town"):
        yield "town"
    if re.search(r"\d", pair.source) and re.search(r"\d", pair.target):
        if _ENGLISH_TIME.search(pair.source):
            yield "time"
        elif _ENGLISH_NUMBER.search(pair.source):
            yield "number"


@cache
def _lists(kind: Literal["name", "town"]) -> dict[str, Word]:
    if kind == "town":
        return {word.english: word for word in pool("town") if not word.french.startswith("Le ")}
    names = {word.english: word for word in pool("surname")}
    return {**names, **{word.english: word for word in pool("name")}}


def _named(pair: Pair, kind: Literal["name", "town"]) -> list[Word]:
    """List the persons or towns that both sides name equally often."""
    known = _lists(kind)
    words_found: list[Word] = []
    for match in _NAME.finditer(pair.source):
        name = match[0]
        word = known.get(name)
        if word is None:  # several words: Tom Jackson, or Is Tom at the beginning of a question
            parts = re.split(r"[ -]", name)
            at_start = not pair.source[: match.start()].strip(" \"'")
            rest = parts[1:] if at_start and parts[0] not in known else parts
            if not rest or not all(part in known for part in rest):
                continue
            if kind == "town" and len(rest) > 1:
                continue
            words_found += [known[part] for part in rest]
        else:
            words_found.append(word)
    unique = list(dict.fromkeys(words_found))
    return [word for word in unique if _same_times(word, pair)]


def _same_times(word: Word, pair: Pair) -> bool:
    english, french = (
        re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
        for name, text in ((word.english, pair.source), (word.french, pair.target))
    )
    return len(english) == len(french) > 0


def _with_names(pair: Pair, kind: Literal["name", "town"], rng: random.Random) -> Pair | None:
    words = _named(pair, kind)
    source, target = pair.source, pair.target
    present = set(re.findall(r"\w+", source + " " + target))
    pairs: list[tuple[Word, Word]] = []
    for word in words:
        new = _another(word, kind, rng)
        if present & set(re.findall(r"\w+", f"{new.english} {new.french}")):
            return None
        present |= {new.english}
        pairs.append((word, new))
    try:
        for old, new in pairs:
            source = _in_english(source, old.english, new.english)
            target = _in_french(target, old.french, new.french)
    except UnsureError:
        return None
    return Pair(source, target) if pairs else None


def _another(word: Word, kind: str, rng: random.Random) -> Word:
    if kind == "town":
        return rng.choice(list(_lists("town").values()))
    if rng.random() < BRANDS:  # rows of capitals are also copied letter by letter
        return draw(BRAND, rng)
    if word.kind == "surname":
        return draw("surname", rng)
    return draw("boy" if word.gender == "m" else "girl", rng)


def _in_english(text: str, old: str, new: str) -> str:
    def put(match: re.Match[str]) -> str:
        before, after = text[: match.start()], text[match.end() :]
        if re.search(r"\b(?:[Aa]n?|[Tt]he|Saint|St\.) $", before):
            raise UnsureError(text)
        # Unsure: James's or James', Smiths; then University and the like; then Paris, France.
        if re.match(r"'s|s\b", after) and new.endswith("s"):
            raise UnsureError(text)
        if re.match(r" (?:[A-Z]\w+ )?(?:University|Street|River|Tower|Times)|, [A-Z]", after):
            raise UnsureError(text)
        return new

    return re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", put, text)


def _in_french(text: str, old: str, new: str) -> str:
    """Replace a French name by another, with the right elision."""
    pieces: list[str] = []
    at = 0
    for match in re.finditer(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text):
        before = text[at : match.start()]
        if _UNSAFE_BEFORE.search(before):
            raise UnsureError(text)
        elidable = _BEFORE.search(before)
        if elidable:
            stem = elidable[1][:-1] if elidable[1] else elidable[2]
            vowel = name_begins_with_vowel(new)
            before = before[: elidable.start()] + (f"{stem}'" if vowel else f"{stem}e ")
        elif before.endswith("'"):
            raise UnsureError(text)
        pieces += [before, new]
        at = match.end()
    return "".join(pieces) + text[at:]


def _with_numbers(pair: Pair, rng: random.Random) -> Pair | None:
    english = _ENGLISH_NUMBER.findall(pair.source)
    french = _FRENCH_NUMBER.findall(pair.target)
    values = [int(number.replace(",", "")) for number in english]
    same = sorted(values) == sorted(int(re.sub(r"\D", "", number)) for number in french)
    digits = len(re.findall(r"\d+(?:,\d{3})*", pair.source))
    if not same or len(set(values)) < len(values) or digits != len(values):
        return None
    new: dict[int, int] = {}
    for said, value in zip(english, values, strict=True):
        drawn = _another_number(pair.source, said, value, rng)
        if drawn is None or drawn in new.values():
            return None
        new[value] = drawn

    def put(match: re.Match[str], separator: str) -> str:
        drawn = new[int(re.sub(r"\D", "", match[0]))]
        return grouped(drawn, separator) if len(match[0]) > len(str(drawn)) else str(drawn)

    return Pair(
        _ENGLISH_NUMBER.sub(lambda match: put(match, ","), pair.source),
        _FRENCH_NUMBER.sub(lambda match: put(match, " "), pair.target),
    )


def _another_number(source: str, digits: str, value: int, rng: random.Random) -> int | None:
    """Draw a number of the same shape; None for 0, 1 and where an article would change."""
    if value < 2 or digits.startswith("0") or re.search(rf"\b[Aa]n? {digits}\b", source):
        return None
    if _YEAR.fullmatch(digits):
        return rng.randint(1900, 2029) if value >= 1900 else rng.randint(1500, 1899)
    if value <= 31 and _SMALL.search(source):
        return rng.randint(2, 12 if value <= 12 else 28)
    return rng.randint(max(2, 10 ** (len(str(value)) - 1)), 10 ** len(str(value)) - 1)


def _with_times(pair: Pair, rng: random.Random) -> Pair | None:
    english, french = _ENGLISH_TIME.findall(pair.source), _FRENCH_TIME.findall(pair.target)
    if len(english) != 1 or len(french) != 1 or _PART_OF_DAY.search(pair.source):
        return None
    (hour, minute), (heure, minutes) = english[0], french[0]
    if minute != minutes or (int(heure) - int(hour)) % 12:
        return None
    hour, minute = rng.randint(2, 12), rng.choice((0, 15, 30, 45, rng.randint(1, 59)))
    return Pair(
        _ENGLISH_TIME.sub(f"{hour}:{minute:02}", pair.source),
        _FRENCH_TIME.sub(f"{hour} h {minute:02}", pair.target),
    )


_I = re.compile(r"\bI\b")
_END = re.compile(r" ?[.!?]+$")
_ABBREVIATED = re.compile(r"(?:\b[A-Za-z]|\b(?:Mr|Mrs|Dr|etc|M))\.$")


def as_typed(pair: Pair, rng: random.Random) -> Pair:
    """Copy a pair as people type it: without capitals, without a final mark, or without either.

    A side may begin with a name or end with an abbreviation. There the pair stays as it is.
    """
    way = rng.choice(("capital", "mark", "both"))
    source, target = pair.source, pair.target
    if way != "mark" and _begins_alike(source, target):
        source, target = (
            _I.sub("i", source[:1].lower() + source[1:]),
            target[:1].lower() + target[1:],
        )
    if way != "capital" and not any(_ABBREVIATED.search(text) for text in (source, target)):
        bare = _END.sub("", source), _END.sub("", target)
        source, target = bare if all(bare) else (source, target)
    return Pair(source, target)


def _begins_alike(source: str, target: str) -> bool:
    """Return True if both first words are capital only because they begin the sentence."""
    first, premier = (re.match(r"\w+", text) for text in (source, target))
    if not first or not premier:
        return False
    if first[0] == premier[0]:
        return not first[0].isupper()
    english, french = first[0], premier[0]
    names = _lists("name").keys() | _lists("town").keys()
    if {english, french} & names or (len(english) > 1 and english.isupper()):
        return False
    return not any(
        re.search(rf"\W{re.escape(word)}\b", text[1:])
        for word, text in ((english, source), (english, target), (french, source), (french, target))
        if word != "I" and capitalised(word) == word
    )
