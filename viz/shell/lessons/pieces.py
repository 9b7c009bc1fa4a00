"""Measures of a unigram vocabulary that is pruned round by round on the page's own text."""

from viz.compute import vocabulary
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form


def _size(text: str) -> int:
    if not text.isdigit():
        raise ValueError(f"a vocabulary has a number of pieces, not {text!r}")
    return int(text)


def _candidates(_subject: Subject, size: str) -> float:
    return float(vocabulary.pruned(vocabulary.example_text(), _size(size), 1)[0][0].before)


def _shared(_subject: Subject, size: str) -> float:
    """Return the share of our pieces that SentencePiece's own trainer also ends with."""
    text = vocabulary.example_text()
    last = vocabulary.pruned(text, _size(size), 1)[1]
    own = vocabulary.learned(text, "unigram", _size(size), 1)
    return len({one.piece for one in own.pieces} & last.keys()) / len(last)


FORMS: tuple[Form, ...] = (
    Form("candidates for <size> unigram pieces", ".0f", _candidates),
    Form("share of <size> unigram pieces as in SentencePiece", "share", _shared),
)
