"""Sentences that visitors type, what counts as a right translation of them, and loops."""

import re
from collections.abc import Sequence
from pathlib import Path

from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import EXAMPLES, Examples, read_examples

_ACCEPTED = dict(
    line.split("\t")
    for line in Path(__file__)
    .with_name("visitor_sentences.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
)
VISITOR_SENTENCES = tuple(_ACCEPTED)
"""The sentences of the About page; `visitor_sentences.tsv` has a pattern of right translations."""

PARAGRAPH = (
    "Yesterday I went to the market with my sister.",
    "We bought some bread, a kilo of apples and a bottle of wine.",
    "Then we walked home because the weather was nice.",
)
"""Three everyday sentences, translated as one text."""

LOOP = 4
"""How often the same pieces follow each other in a loop."""

_LONGEST_LOOP = 6
_END_MARKS = ".!? "


def _bare(text: str) -> str:
    return text.strip(_END_MARKS).lower()


_BARE = frozenset(map(_bare, VISITOR_SENTENCES))


def is_visitor_sentence(english: str) -> bool:
    """Tell whether a sentence is one of the test set; case and the marks at its end are free."""
    return _bare(english) in _BARE


def is_right(english: str, french: str) -> bool:
    """Tell whether a visitor's sentence is translated well; marks and case at the ends are free.

    Raises ValueError for a sentence that is not one of VISITOR_SENTENCES.
    """
    if english not in _ACCEPTED:
        raise ValueError(f"no right translation is known of {english!r}")
    return fits(_ACCEPTED[english], french)


def fits(pattern: str, said: str) -> bool:
    """Tell whether a translation is one of those that a pattern accepts, as `is_right` does."""
    bare = said.strip(_END_MARKS)
    return any(re.fullmatch(one, bare, re.IGNORECASE) for one in _alternatives(pattern))


def examples_of(folder: Path) -> Examples:
    """Read the examples of a model, or those of the model that it stands beside: en-fr's."""
    found = read_examples(folder) or read_examples(CHECKPOINTS / "en-fr")
    if found is None:
        raise ValueError(f"{folder}: no {EXAMPLES}; python -m model.training.examples writes it")
    return found


def languages_of(folder: Path) -> tuple[str, str]:
    """Return the codes of the languages that a model translates from and to."""
    found = examples_of(folder)
    return found.source, found.target


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at the bars that stand outside of brackets, and drop the marks at its end."""
    parts, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    ends = (re.sub(r"[.!? ]+$", "", part) for part in parts)
    return [end.replace(".", r"\.") for end in ends]


def has_loop(pieces: Sequence[int]) -> bool:
    """Tell whether some pieces, at most six, come LOOP times one after the other."""
    for width in range(1, _LONGEST_LOOP + 1):
        run = 0
        for place in range(width, len(pieces)):
            run = run + 1 if pieces[place] == pieces[place - width] else 0
            if run == width * (LOOP - 1):
                return True
    return False


def sentences_of(text: str) -> int:
    """Count the sentences of a text by the marks that end them."""
    return len(re.findall(r"\w[^.!?]*[.!?]+", text))
