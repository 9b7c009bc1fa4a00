"""The comparison of the numbers in a sentence with those in its translation."""

import re
import unicodedata

_TIME = re.compile(
    r"[0-9]{1,2}(?::[0-9]{2}|(?:[.][0-9]{2})?(?= ?[ap][.]?m)| ?h(?![a-z])(?: ?[0-9]{2})?)",
    re.IGNORECASE,
)
"""A time of day: 6:45, 6.45 pm, 6 pm, 18 h 45. It may change its numbers."""

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*s?")
_WRITTEN = re.compile(r"[0-9]+(?:[.,' ][0-9]+)*")
_ZERO_CENTS = re.compile(r"[.,]0?0$|(?<=[.,][0-9])0$")
_SCALE = re.compile(r"hundred|thousand|illion|illiard|mill|cent|[百千万亿]")
"""A word that can stand for zeros."""

FEWEST = 3
"""The fewest digits of a number that is compared: shorter ones are often written in words."""


def wrong_number(sentence: str, translation: str) -> tuple[str, str] | None:
    """Find a number of a sentence that its translation has otherwise: both, as they are written.

    Returns None where every number has its digits in the translation, grouped in whatever way, or
    may be written in words, as no other number is there. Times of day are not compared.
    """
    source, target = (
        _TIME.sub(";", unicodedata.normalize("NFKC", text)) for text in (sentence, translation)
    )
    scaled = _SCALE.search(f"{source} {target}".lower()) is not None
    numbers, written = _NUMBER.findall(source), _WRITTEN.findall(target)
    known = {digits for number in numbers for digits in _forms(number, scaled)}
    there = {digits for number in written for digits in _forms(number, scaled)}
    strange = [number for number in written if not _has(known, number, scaled)]
    for number in numbers:
        digits = _digits(number)
        if len(digits) >= FEWEST and not _has(there, number, scaled):
            others = [one for one in strange if _may_stand_for(digits, _digits(one))]
            if others:
                return number.removesuffix("s"), max(others, key=lambda one: _nearness(digits, one))
    return None


def _digits(number: str) -> str:
    return re.sub("[^0-9]", "", number)


def _forms(number: str, scaled: bool) -> set[str]:
    """Return the digits that a number may be written with, alone or beside others."""
    groups = re.findall("[0-9]+", number)
    ends = range(1, len(groups) + 1)
    forms = {"".join(groups[start:end]) for end in ends for start in range(end)}
    forms.add(_digits(_ZERO_CENTS.sub("", number)))
    if number.endswith("s"):
        forms.add(groups[-1][-2:])  # the 1990s are les années 90
    return forms | {form.rstrip("0") for form in forms if scaled}


def _has(forms: set[str], number: str, scaled: bool) -> bool:
    """Tell whether a number, in a form as a whole or group by group, is among these."""
    groups = re.findall("[0-9]+", number)
    whole = {_digits(number), _digits(_ZERO_CENTS.sub("", number))}
    if number.endswith("s"):
        whole.add(groups[-1][-2:])
    if scaled:
        whole |= {form.rstrip("0") for form in whole}
    return not whole.isdisjoint(forms) or set(groups) <= forms


def _may_stand_for(digits: str, other: str) -> bool:
    """Tell whether another number may have taken the place of one: it is long, or begins alike."""
    return len(other) >= FEWEST or (len(other) > 1 and other[0] == digits[0])


def _nearness(digits: str, number: str) -> tuple[int, int]:
    other = _digits(number)
    alike = next(at for at in range(len(digits), -1, -1) if other.startswith(digits[:at]))
    return alike, -abs(len(other) - len(digits))
