"""Things that a translation copies, or writes by a rule: prices, addresses, codes, emoji."""

import random
from collections.abc import Callable

from model.training.data.more_pieces import signs_of
from model.training.generated.numerals import grouped
from model.training.generated.tables import rows

Copied = tuple[str, str]
"""A text in English, and the same in French."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WITH_VARIATION = "❤☺♥✌☀☕✈❄⚠➡☎✔"
_WITH_SKIN = "👍🙏👏💪👌👋🙌🙋"
_SKINS = "🏻🏼🏽🏾🏿"
_RARE = (range(0x1F300, 0x1F321), range(0x1F330, 0x1F37E), range(0x1F400, 0x1F53E))
_SCRIPTS = (
    range(0x4E00, 0x9FA5),
    range(0x3042, 0x3094),
    range(0xAC00, 0xD7A4),
    range(0x430, 0x450),
    range(0x3B1, 0x3CA),
    range(0x5D0, 0x5EB),
    range(0x627, 0x64B),
    range(0x905, 0x930),
    range(0xE01, 0xE2F),
)
"""Han, Hiragana, Hangul, Cyrillic, Greek, Hebrew, Arabic, Devanagari, Thai."""


def emoji(rng: random.Random) -> str:
    """Draw an emoji, usually one with a piece of its own."""
    if rng.random() < 0.1:
        return chr(rng.choice(rng.choice(_RARE)))
    sign = rng.choice(_EMOJI)
    if sign in _WITH_VARIATION and rng.random() < 0.5:
        return sign + "\ufe0f"
    if sign in _WITH_SKIN and rng.random() < 0.15:
        return sign + rng.choice(_SKINS)
    return sign


def face(rng: random.Random) -> str:
    """Draw some emoji, perhaps repeated, or a face made of marks."""
    if rng.random() < 0.12:
        return rng.choice((":)", ":-)", ";)", ";-)", ":(", ":D", "<3", "^^", ":-(", "xD", ":P"))
    draws = rng.random()
    if draws < 0.6:
        return emoji(rng)
    return emoji(rng) * rng.choice((2, 3)) if draws < 0.8 else emoji(rng) + emoji(rng)


def foreign_word(rng: random.Random) -> str:
    """Draw a word of another script."""
    script = rng.choice(_SCRIPTS)
    return "".join(chr(rng.choice(script)) for _ in range(rng.randint(2, 5)))


def _name(rng: random.Random) -> str:
    if rng.random() < 0.6:
        return rng.choice(_NAMES)
    return "".join(rng.choices(_LETTERS, k=rng.randint(2, 8)))


def _domain(rng: random.Random) -> str:
    sites = ("gmail.com", "example.com", "mail.fr", "yahoo.fr", "outlook.com", "example.org")
    if rng.random() < 0.4:
        return rng.choice(sites)
    return f"{_name(rng)}.{rng.choice(('com', 'fr', 'org', 'net', 'de', 'io', 'uk', 'eu'))}"


def _email(rng: random.Random) -> Copied:
    between = rng.choice(("", ".", "_", "-"))
    end = str(rng.randint(1, 99)) if rng.random() < 0.3 else ""
    user = _name(rng) + (between + _name(rng) if between else "") + end
    return _same(f"{user}@{_domain(rng)}")


def _address(rng: random.Random) -> Copied:
    start = rng.choice(("www.", "https://", "https://www.", "http://", ""))
    end = rng.choice(("", "", f"/{_name(rng)}", f"/{_name(rng)}.html", f"/{_name(rng)}/7"))
    return _same(start + _domain(rng) + end)


def _hashtag(rng: random.Random) -> Copied:
    name = _name(rng)
    return _same(
        "#" + rng.choice((name, name.capitalize(), name.upper(), f"{name}{rng.randint(1, 99)}"))
    )


def _mention(rng: random.Random) -> Copied:
    return _same("@" + _name(rng) + rng.choice(("", "", "_", "99")))


def _code(rng: random.Random) -> Copied:
    letters = "".join(rng.choices(_LETTERS.upper(), k=rng.randint(1, 3)))
    number = str(rng.randint(1, rng.choice((9, 99, 9999))))
    joint = rng.choice(("", "", "-", "_"))
    return _same(letters + joint + number if rng.random() < 0.7 else number + letters[0])


def _phone(rng: random.Random) -> Copied:
    if rng.random() < 0.5:
        return _same(" ".join(f"{rng.randint(0, 99):02}" for _ in range(5)))
    start = rng.choice(("555-", "+33 ", "+1 ", "0"))
    return _same(f"{start}{rng.randint(100, 999)}-{rng.randint(1000, 9999)}")


def _amount(rng: random.Random) -> Copied:
    draws = rng.random()
    if draws < 0.6:
        return _same(str(rng.randint(2, rng.choice((20, 100, 999)))))
    if draws < 0.85:
        whole, part = rng.randint(1, rng.choice((9, 99))), rng.choice((5, 50, 99, 95, 25, 75))
        return f"{whole}.{part:02}", f"{whole},{part:02}"
    number = rng.randint(1000, 99_999)
    return grouped(number, ","), grouped(number, " ")


def _price(rng: random.Random) -> Copied:
    sign, (english, french) = rng.choice("$$$€€€£"), _amount(rng)
    if sign == "€" and rng.random() < 0.3:
        return f"{english}{rng.choice(('', ' '))}€", f"{french} €"
    return sign + english, f"{french} {sign}"


def _percent(rng: random.Random) -> Copied:
    english, french = _half(rng) if rng.random() < 0.25 else _same(str(rng.randint(1, 100)))
    return f"{english}{rng.choice(('%', '%', ' %'))}", f"{french} %"


def _degrees(rng: random.Random) -> Copied:
    number = rng.randint(-15, 45)
    scale = rng.choice(("°C", "°C", "°C", "°F", "°"))
    english = f"{number}{rng.choice(('', '', ' '))}{scale}" if scale != "°" else f"{number}°"
    return english, f"{number}°" if scale == "°" else f"{number} {scale}"


def _clock(rng: random.Random) -> Copied:
    hour, minute = rng.randint(1, 11), rng.choice((0, 0, 0, 15, 30, 45, rng.randint(1, 59)))
    late = rng.random() < 0.6
    part = ("pm", "p.m.", "PM") if late else ("am", "a.m.", "AM")
    spoken = f"{hour}:{minute:02}" if minute else str(hour)
    written = f"{hour + 12 * late} h" + (f" {minute:02}" if minute else "")
    return f"{spoken}{rng.choice((' ', ' ', ''))}{rng.choice(part)}", written


def _half(rng: random.Random) -> Copied:
    whole, part = rng.randint(1, 99), rng.randint(1, 9)
    return f"{whole}.{part}", f"{whole},{part}"


def _calendar(rng: random.Random) -> Copied:
    day, month, year = rng.randint(2, 28), rng.randint(1, 12), rng.randint(1900, 2030)
    if rng.random() < 0.4:
        form = rng.choice(("{0:02}/{1:02}/{2}", "{2}-{1:02}-{0:02}", "{0}.{1}.{2}"))
        return _same(form.format(day, month, year))
    english, french = _MONTHS[month - 1]
    if rng.random() < 0.5:
        return f"{english} {day}, {year}", f"{day} {french} {year}"
    return f"{day} {english} {year}", f"{day} {french} {year}"


_MONTHS = tuple(
    (row["english"], row["french"]) for row in rows("words.tsv") if row["kind"] == "month"
)
_NAMES = tuple(
    row["name"].lower()
    for table in ("first_names.tsv", "surnames.tsv", "brands.tsv")
    for row in rows(table)
    if row["name"].isascii() and row["name"].isalpha()
)
_EMOJI = tuple(signs_of("emoji"))


def _sized(rng: random.Random) -> Copied:
    number = rng.randint(2, 500)
    unit = rng.choice(("km", "kg", "cm", "m", "g", "km/h", "MB", "l"))
    return f"{number}{rng.choice(('', ' '))}{unit}", f"{number} {'Mo' if unit == 'MB' else unit}"


def _same(text: str) -> Copied:
    return text, text


COPIED: dict[str, Callable[[random.Random], Copied]] = {
    "email": _email,
    "address": _address,
    "hashtag": _hashtag,
    "mention": _mention,
    "code": _code,
    "phone": _phone,
    "price": _price,
    "percent": _percent,
    "degrees": _degrees,
    "clock": _clock,
    "half": _half,
    "calendar": _calendar,
    "sized": _sized,
    "foreign": lambda rng: _same(foreign_word(rng)),
    "emoji": lambda rng: _same(face(rng)),
}
"""Slots of frames, each with the function that draws the text in both languages."""
