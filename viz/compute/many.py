"""Many sentences, each translated and measured in the changed model; cached."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from model.interventions.base import Intervention
from model.measures.quality import bleu, chrf
from model.recording.recording import Recording
from model.sites.sites import Head
from model.words import Word, is_special, words_of
from viz.compute import examples, models, runs
from viz.compute.models import kept
from viz.sharing.progress import report

MOST, LONGEST_FILE, CHUNK = 500, 2_000_000, 5
"""The most lines at once, the most bytes of their file, and the lines that are cached together."""


@dataclass(frozen=True)
class Line:
    """A sentence and its human translation, if any."""

    text: str
    reference: str = ""


@dataclass(frozen=True)
class Read:
    """The first MOST lines of a text; `dropped` counts the rest."""

    lines: tuple[Line, ...]
    dropped: int = 0


@dataclass(frozen=True)
class Row:
    """The results for a sentence.

    `likely` is the log-probability of the translation, in nats a piece. `sharp` is the mean largest
    weight of the chosen head. `covered` is the share of the source's pieces that are the strongest
    key of some row of the decoder, in the mean of all cross-attention. `repeated` is the number of
    translated words that follow themselves, `words` the number of words in the sentence.
    """

    translation: str
    likely: float
    sharp: float
    covered: float
    repeated: int
    words: int


@dataclass(frozen=True)
class Scores:
    """BLEU and chrF, 0 to 100, of some translations with references."""

    bleu: float
    chrf: float
    sentences: int


def read_lines(content: bytes) -> Read:
    """Read lines, each a sentence and perhaps a tab and its reference; skip empty lines.

    Raises ValueError when the text is too long, not UTF-8, or without a sentence.
    """
    if len(content) > LONGEST_FILE:
        raise ValueError(f"larger than {LONGEST_FILE:,} bytes")
    try:
        content_text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("not text in UTF-8") from error
    if "\0" in content_text:
        raise ValueError("not text")
    lines: list[Line] = []
    for line in content_text.splitlines():
        source, *references = (" ".join(cell.split()) for cell in line.split("\t"))
        if source:
            lines.append(Line(source, references[0] if references else ""))
    if not lines:
        raise ValueError("no sentence")
    return Read(tuple(lines[:MOST]), max(0, len(lines) - MOST))


def chunks(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Split sentences into parts, each cached as a whole."""
    sentences = [line.text for line in lines]
    return [tuple(sentences[at : at + CHUNK]) for at in range(0, len(sentences), CHUNK)]


@kept
def translated(
    texts: tuple[str, ...], interventions: tuple[Intervention, ...], head: Head
) -> tuple[Row, ...]:
    """Translate sentences in the changed model, and measure each of them."""
    return tuple(_row(text, interventions, head) for text in texts)


@dataclass(frozen=True)
class Table:
    """The known rows, from the first on, and the compared model's rows for the same sentences."""

    rows: tuple[Row, ...]
    beside: tuple[Row, ...]


def known(
    lines: Sequence[Line], changed: tuple[Intervention, ...], head: Head, other: str = ""
) -> Table:
    """Return the known results for some sentences, from the first on; see `fill`."""
    rows: list[Row] = []
    beside: list[Row] = []
    for part in chunks(lines):
        changed_rows = translated.known(part, changed, head)
        with models.using(other or models.in_force()):
            compared_rows = translated.known(part, (), head)
        if changed_rows is None or compared_rows is None:
            break
        rows += changed_rows
        beside += compared_rows
    return Table(tuple(rows), tuple(beside))


def fill(
    lines: Sequence[Line], changed: tuple[Intervention, ...], head: Head, other: str = ""
) -> Iterator[Table]:
    """Translate the sentences and yield the growing table; reports its progress.

    They are compared with the unchanged model, or with the model named `other`.
    """
    rows: list[Row] = []
    beside: list[Row] = []
    for part in chunks(lines):
        rows += translated(part, changed, head)
        with models.using(other or models.in_force()):
            beside += translated(part, (), head)
        report(len(rows), len(lines))
        yield Table(tuple(rows), tuple(beside))


def others() -> list[str]:
    """Return the names of the other models of the same languages."""
    languages = examples.of(models.in_force())
    return [
        name
        for name in models.folders()
        if name != models.in_force()
        and (examples.of(name).source, examples.of(name).target)
        == (languages.source, languages.target)
    ]


def _row(text: str, interventions: tuple[Intervention, ...], head: Head) -> Row:
    try:
        run = runs.translator().run(text, interventions, lenient=True)
    except ValueError:  # the text is empty once cleaned, e.g. a lone control character
        return Row("", float("nan"), float("nan"), float("nan"), 0, 0)
    recording, translation = run.recording, run.translation
    words = [word.text.lower() for word in words_of(translation.tokens) if word.text.isalnum()]
    return Row(
        translation.text,
        translation.log_prob / (len(translation.ids) + 1),
        _sharp(recording, head),
        _covered(recording),
        sum(this_word == next_word for this_word, next_word in pairwise(words)),
        sum(any(map(str.isalnum, word.text)) for word in _source_words(recording)),
    )


def _source_words(recording: Recording) -> list[Word]:
    tokens = recording.source_tokens
    return words_of([token for token in tokens if not is_special(token)])


def _sharp(recording: Recording, head: Head) -> float:
    """Return the mean largest weight of a head; NaN where the model has no such head."""
    config = recording.made_by
    has_head = head.kind in config.kinds and head.layer < config.layers(head.kind)
    if not has_head or head.head >= config.heads:
        return float("nan")
    return float(recording.attention(head.kind)[head.layer, head.head].max(-1).mean())


def _covered(recording: Recording) -> float:
    """Return the share of source pieces that at least one row of the decoder looks at most."""
    pieces = [n for n, token in enumerate(recording.source_tokens) if not is_special(token)]
    if "cross" not in recording.made_by.kinds or not pieces:
        return float("nan")
    strongest = recording.attention("cross").mean((0, 1)).argmax(-1)  # T
    return float(np.isin(pieces, strongest).mean())


def scores(lines: Sequence[Line], rows: Sequence[Row]) -> Scores | None:
    """Score the translations that have a reference; None if none has."""
    pairs = [
        (row.translation, line.reference)
        for line, row in zip(lines, rows, strict=True)
        if line.reference
    ]
    if not pairs:
        return None
    translations, references = zip(*pairs, strict=True)
    return Scores(bleu(translations, references), chrf(translations, references), len(pairs))


def chrf_of(line: Line, row: Row) -> float:
    """Return the chrF of one sentence; NaN without a reference."""
    return chrf([row.translation], [line.reference]) if line.reference else float("nan")
