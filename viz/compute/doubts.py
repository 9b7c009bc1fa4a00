"""The words of which a translation is unsure, and the plain reason in its sentence."""

import re
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

import torch

from model.measures.familiarity import written_words
from model.measures.likelihood import log_probs_of
from model.results import Run
from model.words import WORD_START, Word, is_byte, is_unspaced, words_of
from viz.compute import examples, familiarity, models, runs
from viz.compute.copied_numbers import wrong_number
from viz.compute.models import kept

Kind = Literal["language", "characters", "number", "capitals", "typing", "name"]

_FOREIGN = (
    "ich du er wir ihr nicht und der die das ist ein eine heute kein keine mit auf für "
    "je tu il elle nous vous ne pas et le la les un une est dans avec pour mon ma "
    "yo el los las una es no con para mi que en de por muy "
    "io lui lei il lo gli non che di per con sono è"
)
FOREIGN = frozenset(_FOREIGN.split())
"""Frequent words of German, French, Spanish and Italian."""

_ENGLISH = (
    "i you he she it we they the a an is are was were not do does did and of to in on at for with "
    "my your his her this that what who how no me die"
)
ENGLISH = frozenset(_ENGLISH.split())
"""Frequent words of English, some of which are also words of other languages."""

ENDINGS = (
    *((end, "") for end in ("s", "es", "ed", "ing", "er", "ly")),
    *((end, "e") for end in ("d", "ed", "ing", "r", "es")),
)
"""Endings of English words, and what replaces each ending in the basic word."""

_CALENDAR = (
    "January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
)
CALENDAR = frozenset(_CALENDAR.split())
"""English words with a capital that are translated, and so are no names."""

LONG_ENOUGH = 5
"""The fewest letters of a word that may be a typing error: short words are near many words."""

_BYTES = re.compile(r"(<0x[0-9A-F]{2}>)+")
"""Bytes that do not make up a character."""

SURE = 0.8
"""The probability from which a word is written surely, and stands for a name as it should."""

LOUD = 0.7
"""The share of capitals among the letters of a sentence that is written in capitals."""


@dataclass(frozen=True)
class Reason:
    """Why a sentence is hard to translate: `of` names what is unusual in it.

    `better` is a sentence that the model knows better or, for another language, the name of a
    model that reads it; "" without either. For capitals, `pieces` counts those of the sentence and
    those of the better one. `written` is the number that the translation has in place of this one.
    """

    kind: Kind
    of: str = ""
    better: str = ""
    pieces: tuple[int, int] = (0, 0)
    written: str = ""


@kept
def unsure(sentence: str) -> tuple[str, ...]:
    """Return the words of the unchanged model's translation that are less sure than most.

    The limit was measured on dev sentences; without a limit, returns (). Raises ValueError when
    there is nothing to translate.
    """
    limit = familiarity.word_limit()
    texts = (
        _BYTES.sub("\N{REPLACEMENT CHARACTER}", word.text)
        for word, likely in _written(runs.run(sentence))
        if likely < limit
    )
    return tuple(dict.fromkeys(texts))


def _written(run: Run) -> list[tuple[Word, float]]:
    """Return the words of a translation without its punctuation, and their probabilities."""
    tokens, ids = run.translation.tokens, run.translation.ids
    if not ids:
        return []
    log_probs = log_probs_of(ids, torch.tensor(run.recording.logits[: len(ids)])).tolist()
    words = [word for word in words_of(tokens) if any(map(str.isalnum, word.text))]
    likely = [word.likely for word in written_words(tokens, log_probs)]
    return list(zip(words, likely, strict=True))


@kept
def loses_name(sentence: str) -> bool:
    """Tell whether a name that is cut into pieces is missing from the unchanged translation.

    No name is missing where the word that looks at it most is written surely, such as *Moscou* for
    Moscow. Raises ValueError when there is nothing to translate.
    """
    run = runs.run(sentence)
    words = words_of(run.source.tokens)
    name = _name(words, _cut(words))
    if name is None or name.text.lower() in run.translation.text.lower():
        return False
    return not _is_sure_of(run, name)


def _is_sure_of(run: Run, name: Word) -> bool:
    """Tell whether the word that looks most at a word of the source is written surely.

    The weights are those of cross-attention, as a mean over all heads. A model without it is sure
    of none.
    """
    written = _written(run)
    if not written or not run.recording.made_by.layers("cross"):
        return False
    weights = run.recording.attention("cross")[..., name.first : name.last + 1]
    looks = weights.sum(axis=-1).mean(axis=(0, 1))
    nearest = max(written, key=lambda one: looks[one[0].first : one[0].last + 1].mean())
    return nearest[1] >= SURE


@kept
def miscopied(sentence: str) -> Reason | None:
    """Find a number that the unchanged translation has otherwise than the sentence, or None.

    Raises ValueError when there is nothing to translate.
    """
    run = runs.run(sentence)
    numbers = wrong_number(run.source.text, run.translation.text)
    return Reason("number", numbers[0], written=numbers[1]) if numbers else None


@kept
def reason(sentence: str) -> Reason | None:
    """Find the plainest reason why a sentence is hard for the model in force, or None.

    Raises ValueError when there is nothing to translate.
    """
    source = runs.source(sentence)
    text, words = source.text, words_of(source.tokens)
    cut = _cut(words)
    return (
        _language(text)
        or _characters(text, source.tokens)
        or miscopied(sentence)
        or _capitals(text, cut)
        or _typing(text, cut)
        or _unknown_name(sentence, words, cut)
    )


@kept
def is_doubtful(sentence: str) -> bool:
    """Tell whether the unchanged translation may be wrong: anything here makes it likely.

    Raises ValueError when there is nothing to translate.
    """
    return bool(
        unsure(sentence)
        or any(map(is_byte, runs.source(sentence).tokens))
        or familiarity.far(sentence)
        or loses_name(sentence)
        or miscopied(sentence)
    )


def known() -> dict[str, object]:
    """Return what a page that doubts the model in force by itself has to know."""
    return {
        "source": examples.current().source,
        "word": familiarity.word_limit(),
        "signs": familiarity.sign_limits(),
        "foreign": sorted(FOREIGN),
        "english": sorted(ENGLISH),
        "endings": ENDINGS,
        "calendar": sorted(CALENDAR),
        "longEnough": LONG_ENOUGH,
        "loud": LOUD,
        "sure": SURE,
    }


def _cut(words: list[Word]) -> list[Word]:
    """Return the words of letters that are cut into pieces."""
    return [word for word in words if word.last > word.first and word.text.isalpha()]


def _language(text: str) -> Reason | None:
    """Return a reason if a sentence is in a language that the model does not read."""
    code = examples.current().source
    if code == "zh" and not is_unspaced(text) and re.search(r"[^\W\d_]", text):
        return Reason("language", better=_reader("en"))
    if code != "en":
        return None
    if is_unspaced(text):
        return Reason("language", better=_reader("zh"))
    words = re.findall(r"[^\W\d_]+", text.lower())
    foreign = sum(word in FOREIGN for word in words)
    if foreign >= 2 and foreign > sum(word in ENGLISH for word in words):
        return Reason("language")
    return None


def _reader(code: str) -> str:
    """Name an available model that reads this language, or ""."""
    return next((name for name in models.folders() if examples.of(name).source == code), "")


def _characters(text: str, tokens: tuple[str, ...]) -> Reason | None:
    """Name the characters that have no piece, and leave them out."""
    if not any(map(is_byte, tokens)):
        return None
    loaded = runs.translator()
    letters = dict.fromkeys(letter for letter in text if not letter.isspace())
    strange = [letter for letter in letters if any(map(is_byte, loaded.source(letter).tokens))]
    known = "".join(" " if letter in strange else letter for letter in text)
    better = re.sub(r"\s+([.,!?])", r"\1", " ".join(known.split()))
    return Reason("characters", " ".join(strange), better if any(map(str.isalpha, better)) else "")


def _capitals(text: str, cut: list[Word]) -> Reason | None:
    letters = [letter for letter in text if letter.isalpha()]
    loud = sum(map(str.isupper, letters))
    if not cut or len(letters) < 4 or loud < LOUD * len(letters):
        return None
    small = re.sub(r"\bi\b", "I", text.lower())
    better = small[:1].upper() + small[1:]
    encode = runs.translator().tokenizer.encode
    pieces = len(encode(text)), len(encode(better))
    return Reason("capitals", better=better, pieces=pieces) if pieces[0] > pieces[1] else None


def _typing(text: str, cut: list[Word]) -> Reason | None:
    """Find words that are cut into pieces but are one letter away from a word of one piece."""
    if examples.current().source != "en":
        return None
    whole_words, better = _known_words(), text
    unknown = [word.text for word in cut if word.text.islower() and len(word.text) >= LONG_ENOUGH]
    wrong: list[str] = []
    for word in unknown:
        meant = [
            candidate
            for candidate in _one_letter_away(word)
            if candidate in whole_words and candidate[0] == word[0]
        ]
        if meant and not any(
            f"{word.removesuffix(end)}{more}" in whole_words for end, more in ENDINGS
        ):
            best = min(meant, key=whole_words.__getitem__)  # the most frequent piece comes first
            better = re.sub(rf"\b{re.escape(word)}\b", best, better)
            wrong.append(word)
    return Reason("typing", wrong[0], better) if wrong else None


def _known_words() -> dict[str, int]:
    """Return the source words that are a single piece, with their ids."""
    loaded = runs.translator()
    names = loaded.tokenizer.tokens(list(range(loaded.config.vocab_size)))
    return {name[1:]: id_ for id_, name in enumerate(names) if name.startswith(WORD_START)}


def _one_letter_away(word: str) -> set[str]:
    """Return the texts that differ from a word by one letter, or by two swapped letters."""
    neighbours: set[str] = set()
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        neighbours |= {head + letter + tail for letter in ascii_lowercase}
        if tail:
            neighbours |= {
                head + tail[1:],
                *(head + letter + tail[1:] for letter in ascii_lowercase),
            }
        if len(tail) > 1:
            neighbours.add(head + tail[1] + tail[0] + tail[2:])
    return neighbours - {word}


def _unknown_name(sentence: str, words: list[Word], cut: list[Word]) -> Reason | None:
    """Find a name that is missing from the translation, or of which the translation is unsure."""
    name = _name(words, cut)
    if name and (loses_name(sentence) or name.text in unsure(sentence)):
        return Reason("name", name.text)
    return None


def _name(words: list[Word], cut: list[Word]) -> Word | None:
    """Find a name in the sentence, beyond its first word, that is cut into pieces."""
    first = next((word for word in words if any(map(str.isalnum, word.text))), None)
    names = [
        word
        for word in cut
        if word.text.istitle() and word != first and word.text.removesuffix("s") not in CALENDAR
    ]
    return max(names, key=lambda word: word.last - word.first, default=None)
