"""Numbers in words, in English and in French: twenty-five, vingt-cinq."""

from model.training.generated.frame import words

_ENGLISH = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_ENGLISH_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_FRENCH = words(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize dix-sept dix-huit dix-neuf"
)
_FRENCH_TENS = words("vingt trente quarante cinquante soixante")


def english_number(number: int) -> str:
    """Write 0 to 999,999 in words: one thousand two hundred twenty-five."""
    if number < 20:
        return _ENGLISH[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH[rest]}" if rest else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    return f"{english_number(many)} {name}" + (f" {english_number(rest)}" if rest else "")


def french_number(number: int) -> str:
    """Write 0 to 999,999 in words, in the spelling before 1990: deux cent quatre-vingt-un."""
    if number < 100:
        return _below_hundred(number)
    size, name = (1000, "mille") if number >= 1000 else (100, "cent")
    many, rest = divmod(number, size)
    # Cent and vingt have an s only at the end of the number, never before mille.
    plural = "s" if name == "cent" and many > 1 and not rest else ""
    before = "" if many == 1 else f"{french_number(many)} "
    if name == "mille" and many > 1:
        before = before.replace("cents ", "cent ").replace("vingts ", "vingt ")
    return f"{before}{name}{plural}" + (f" {french_number(rest)}" if rest else "")


def grouped(number: int, separator: str) -> str:
    """Write a number with its thousands separated: 1,995 or 1 995."""
    return f"{number:,}".replace(",", separator)


def _below_hundred(number: int) -> str:
    if number < 20:
        return _FRENCH[number]
    tens, rest = divmod(number, 10)
    if tens in (7, 9):  # soixante-dix and quatre-vingt-dix continue to nineteen
        tens, rest = tens - 1, rest + 10
    name = "quatre-vingt" if tens == 8 else _FRENCH_TENS[tens - 2]
    if not rest:
        return f"{name}s" if tens == 8 else name
    joint = " et " if rest in (1, 11) and tens != 8 else "-"
    return f"{name}{joint}{_FRENCH[rest]}"
