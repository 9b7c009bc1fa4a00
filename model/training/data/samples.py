"""Sentences of visitors, and their accepted translations."""

import re
import unicodedata
from pathlib import Path

from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import EXAMPLES, Examples, read_examples
from model.measures.loops import LONGEST_LOOP, LOOP


def _accepted(name: str) -> dict[str, str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines())


_FIRST, _SECOND = _accepted("visitor_sentences.tsv"), _accepted("visitor_second_set.tsv")
_TYPED, _CHINESE = _accepted("typed_sentences.tsv"), _accepted("typed_chinese.tsv")
_ENGLISH = _FIRST | _SECOND | _TYPED
_ACCEPTED = _ENGLISH | _CHINESE
VISITOR_SENTENCES = tuple(_FIRST)
"""The public test set: sentences as visitors type them, which training leaves out.

`visitor_sentences.tsv` has a pattern of right translations for each sentence. It is a set of
alternatives, of which one must fit the whole translation, or a list of regular expressions, each
after an &. All of these must be found in the translation as whole words or, after &!, not be found.
"""

VISITOR_SECOND_SET = tuple(_SECOND)
"""A second set, for the final measurement: it was written without a look at the training data.

Choosing words, settings or weights by its results would make it a part of training.
"""

TYPED_SENTENCES = tuple(_TYPED)
"""A third public set: emoji, brackets, quotes, prices, capitals, mistypings, greetings, words.

A string in capitals must be translated in capitals.
"""

TYPED_CHINESE = tuple(_CHINESE)
"""The same for a model from Chinese: greetings, names, places, numbers, the field's words."""

TYPED = {"en": TYPED_SENTENCES, "zh": TYPED_CHINESE}
"""The typed strings by the language of the source."""

ABOUT_SENTENCES = VISITOR_SENTENCES[:24]
"""The sentences that the About page shows."""

PARAGRAPH = (
    "Yesterday I went to the market with my sister.",
    "We bought some bread, a kilo of apples and a bottle of wine.",
    "Then we walked home because the weather was nice.",
)
"""Three everyday sentences, translated as one text."""

_END_MARKS = ".!? "


def _bare(text: str) -> str:
    return text.strip(_END_MARKS).lower()


def _unmarked(text: str) -> str:
    """Return a text without any marks and spaces, as Chinese is often typed; emoji stay."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] not in "PZ")


_BARE = frozenset(map(_bare, _ENGLISH))
_UNMARKED = frozenset(map(_unmarked, _CHINESE))


def is_visitor_sentence(text: str) -> bool:
    """Return True for a sentence of a test set, ignoring case and final marks.

    In Chinese no mark counts, nor do spaces.
    """
    return _bare(text) in _BARE or (not text.isascii() and _unmarked(text) in _UNMARKED)


def is_right(english: str, french: str) -> bool:
    """Return True for an accepted translation of a visitor's sentence.

    Final marks and case do not count. A translation that repeats some words at once is always
    wrong. Raises ValueError for a sentence that is in none of the sets.
    """
    if english not in _ACCEPTED:
        raise ValueError(f"no right translation is known of {english!r}")
    if english in _TYPED and english.isupper() and not french.isupper():
        return False
    return fits(_ACCEPTED[english], french) and not says_twice(french)


def fits(pattern: str, said: str) -> bool:
    """Return True if a pattern accepts a translation; see `is_right`."""
    if pattern.startswith("&"):
        return all(_holds(alternative, said) for alternative in pattern[1:].split("&"))
    bare = said.strip(_END_MARKS)
    return any(
        re.fullmatch(alternative, bare, re.IGNORECASE) for alternative in _alternatives(pattern)
    )


def _holds(word: str, translation: str) -> bool:
    """Return True if a translation has the words of a pattern or, after "!", lacks them."""
    wanted = not word.startswith("!")
    pattern = rf"(?<!\w)(?:{word.removeprefix('!')})(?!\w)"
    return bool(re.search(pattern, translation, re.IGNORECASE)) == wanted


def says_twice(text: str) -> bool:
    """Return True if one to six words come twice in a row, or some letters LOOP times.

    "Nous nous" and "vous vous" are French: nous nous levons.
    """
    words = re.findall(r"[\w-]+", text.lower())
    for width in range(1, LONGEST_LOOP + 1):
        for at in range(len(words) - 2 * width + 1):
            group = words[at : at + width]
            if group == words[at + width : at + 2 * width] and group not in (["nous"], ["vous"]):
                return True
    return re.search(rf"([^\W\d]+?)\1{{{LOOP - 1}}}", text) is not None


def examples_of(folder: Path) -> Examples:
    """Read the examples of a model, or those of en-fr if it has none."""
    examples = read_examples(folder) or read_examples(CHECKPOINTS / "en-fr")
    if examples is None:
        raise ValueError(f"{folder}: no {EXAMPLES}; python -m model.training.examples writes it")
    return examples


def languages_of(folder: Path) -> tuple[str, str]:
    """Return the codes of the languages that a model translates from and to."""
    examples = examples_of(folder)
    return examples.source, examples.target


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at the bars outside brackets, and drop the marks at its end."""
    parts, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    ends = (re.sub(r"[.!? ]+$", "", part) for part in parts)
    return [end.replace(".", r"\.") for end in ends]


def sentences_of(text: str) -> int:
    """Count the sentences of a text by their final marks."""
    return len(re.findall(r"\w[^.!?]*[.!?]+", text))
