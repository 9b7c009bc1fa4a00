"""Numbers, prices, times and dates in Chinese, with their English."""

import random
from collections.abc import Callable

from model.training.generated.numerals import english_number
from model.training.generated.tables import rows

Both = tuple[str, str]
"""A text in Chinese, and the same in English."""

_DIGITS = "零一二三四五六七八九"
_MONTHS = tuple(row["english"] for row in rows("words.tsv") if row["kind"] == "month")
_PARTS = (("早上", "in the morning"), ("上午", "in the morning"), ("下午", "in the afternoon"),
          ("晚上", "in the evening"))  # fmt: skip


def chinese_number(number: int) -> str:
    """Write 0 to 99,999,999 in Chinese numerals: 一千二百, 三万零五十."""
    if number >= 10_000:
        many, rest = divmod(number, 10_000)
        return f"{_measured(many)}万{_after(rest, 1000)}"
    for size, name in ((1000, "千"), (100, "百")):
        if number >= size:
            many, rest = divmod(number, size)
            return f"{_measured(many) if size == 1000 else _DIGITS[many]}{name}" + _after(
                rest, size // 10
            )
    if number < 10:
        return _DIGITS[number]
    tens, rest = divmod(number, 10)
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[rest] if rest else "")


def _measured(number: int) -> str:
    return "两" if number == 2 else chinese_number(number)


def _after(rest: int, least: int) -> str:
    """Write what follows thousands or hundreds; a gap is 零, and ten is 一十 there."""
    if not rest:
        return ""
    text = chinese_number(rest)
    if 10 <= rest < 20:
        text = f"一{text}"
    return f"零{text}" if rest < least else text


def counted(rng: random.Random) -> Both:
    """Draw a number from 2 as it stands before a measure word: 两, two; 12, 12."""
    number = rng.randint(2, rng.choice((5, 10, 10, 20, 100, 999)))
    if number > 20:
        number = rng.choice((number, number // 10 * 10))
    if rng.random() < 0.25:
        return str(number), str(number)
    return _measured(number), english_number(number)


def _number(rng: random.Random) -> Both:
    number = rng.randint(0, rng.choice((10, 20, 99, 99)))
    if rng.random() < 0.2:
        return str(number), str(number)
    return chinese_number(number), english_number(number)


def _few(rng: random.Random) -> Both:
    number = rng.randint(2, 12)
    if rng.random() < 0.3:
        return str(number), str(number)
    return _measured(number), english_number(number)


def _round(rng: random.Random) -> int:
    number = rng.randint(1, 99) * rng.choice((10, 100, 100, 1000))
    return rng.choice((number, number + rng.randint(1, 99), rng.randint(100, 999)))


def _big(rng: random.Random) -> Both:
    number, draws = _round(rng), rng.random()
    if draws < 0.25:
        return str(number), str(number)
    if draws < 0.35:
        many = rng.randint(1, 99)
        return f"{_measured(many)}百万", f"{english_number(many)} million"
    if draws < 0.42:
        return rng.choice((("一亿", "one hundred million"), ("十亿", "one billion"),
                           ("十四亿", "one billion four hundred million")))  # fmt: skip
    return chinese_number(number), english_number(number)


def _yuan(rng: random.Random) -> Both:
    number = rng.choice((rng.randint(2, 20), rng.randint(1, 20) * 5, _round(rng)))
    unit = rng.choice(("块钱", "块", "元", "元", "元钱", "人民币"))
    if unit == "人民币" or rng.random() < 0.4:
        if rng.random() < 0.3:
            return f"¥{number}", f"¥{number}"
        return f"{number}{'元' if unit == '人民币' else unit}", f"{number} yuan"
    return f"{_measured(number)}{unit}", f"{english_number(number)} yuan"


def _price(rng: random.Random) -> Both:
    if rng.random() < 0.6:
        return _yuan(rng)
    number = rng.choice((rng.randint(2, 20), _round(rng)))
    unit, name, sign = rng.choice(
        (("美元", "dollars", "$"), ("欧元", "euros", "€"), ("英镑", "pounds", "£"),
         ("美元", "dollars", "$"), ("日元", "yen", "¥"))
    )  # fmt: skip
    draws = rng.random()
    if draws < 0.3 and unit != "日元":
        amount = rng.choice((str(number), f"{number}.{rng.choice((5, 50, 99)):02}"))
        return f"{sign}{amount}", f"{sign}{amount}"
    if draws < 0.6:
        return f"{number}{unit}", f"{number} {name}"
    return f"{_measured(number)}{unit}", f"{english_number(number)} {name}"


def _percent(rng: random.Random) -> Both:
    number = rng.choice((rng.randint(1, 100), rng.randint(1, 20) * 5))
    if rng.random() < 0.5:
        return f"{number}%", f"{number}%"
    return f"百分之{chinese_number(number)}", f"{english_number(number)} percent"


def _age(rng: random.Random) -> Both:
    number = rng.randint(2, rng.choice((20, 40, 90)))
    if rng.random() < 0.4:
        return f"{number}岁", str(number)
    return f"{_measured(number)}岁", english_number(number)


def _clock(rng: random.Random) -> Both:
    """Draw a time of the clock, with or without the part of the day."""
    hour, minute = rng.randint(1, 12), rng.choice((0, 0, 0, 30, 30, 15, 45, rng.randint(1, 59)))
    draws = rng.random()
    if draws < 0.2:
        return f"{hour}:{minute:02}", f"{hour}:{minute:02}"
    if draws < 0.35:
        if minute:
            return f"{hour}点{minute}分", f"{hour}:{minute:02}"
        return f"{hour}点", f"{hour} o'clock"
    chinese, english = f"{_measured(hour)}点", english_number(hour)
    if minute == 30:
        return f"{chinese}半", f"half past {english}"
    if minute == 15:
        return f"{chinese}一刻", f"a quarter past {english}"
    if minute:
        joint, spoken = ("零", f"oh {english_number(minute)}") if minute < 10 else (
            "", english_number(minute))  # fmt: skip
        return f"{chinese}{joint}{chinese_number(minute)}分", f"{english} {spoken}"
    if draws < 0.6:
        part, said = rng.choice(_PARTS)
        return f"{part}{chinese}", f"{english} {said}"
    return chinese, f"{english} o'clock"


def _day(rng: random.Random) -> Both:
    """Draw a day of a month: 十月一日, October 1."""
    month, day = rng.randint(1, 12), rng.randint(1, 28)
    end, english = rng.choice("日号"), f"{_MONTHS[month - 1]} {day}"
    if rng.random() < 0.5:
        return f"{month}月{day}{end}", english
    return f"{chinese_number(month)}月{chinese_number(day)}{end}", english


def _date(rng: random.Random) -> Both:
    (chinese, english), (_, written) = _day(rng), _year(rng)
    year = written if chinese[0].isdigit() else "".join(_DIGITS[int(digit)] for digit in written)
    return f"{year}年{chinese}", f"{english}, {written}"


def _year(rng: random.Random) -> Both:
    year = rng.randint(1900, 2030)
    if rng.random() < 0.5:
        return str(year), str(year)
    return "".join(_DIGITS[int(digit)] for digit in str(year)), str(year)


def _phone(rng: random.Random) -> Both:
    start = rng.choice(("13", "15", "18", "010-", "021-", "555-", "+86 13"))
    text = start + "".join(rng.choices("0123456789", k=rng.choice((7, 8, 9))))
    return text, text


def _in(*units: tuple[str, str, int]) -> Callable[[random.Random], Both]:
    """Return what draws a number of one of the units: Chinese, English, the largest number."""

    def drawn(rng: random.Random) -> Both:
        chinese, english, largest = rng.choice(units)
        number = rng.randint(2, rng.choice((10, largest)))
        if rng.random() < 0.4:
            return f"{number}{chinese}", f"{number} {english}"
        return f"{_measured(number)}{chinese}", f"{english_number(number)} {english}"

    return drawn


def _degrees(rng: random.Random) -> Both:
    number = rng.randint(-15, 40)
    if number < 1 or rng.random() < 0.4:
        return f"{number}°C", f"{number}°C"
    return f"{number}度", f"{number} degrees"


NUMBERS: dict[str, Callable[[random.Random], Both]] = {
    "number": _number,
    "few": _few,
    "big": _big,
    "yuan": _yuan,
    "price": _price,
    "percent": _percent,
    "age": _age,
    "clock": _clock,
    "day": _day,
    "date": _date,
    "year": _year,
    "phone": _phone,
    "long": _in(("公里", "kilometers", 900), ("米", "meters", 900), ("千米", "kilometers", 50)),
    "tall": _in(("厘米", "centimeters", 200), ("米", "meters", 10)),
    "weight": _in(("公斤", "kilograms", 120)),
    "degrees": _degrees,
    "duration": _in(
        ("年", "years", 30),
        ("天", "days", 30),
        ("个小时", "hours", 24),
        ("分钟", "minutes", 60),
        ("个月", "months", 12),
        ("个星期", "weeks", 10),
    ),
}
"""Slots with a number, each with the function that draws the text in both languages."""
