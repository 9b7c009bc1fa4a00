"""The outcome of interventions: both translations, and the probabilities of some pieces."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.words import is_unspaced
from viz.components.component import renderer
from viz.components.two_texts import differing, gap, words_and_marks
from viz.figures.labels import Number
from viz.figures.theme import KEY, QUERY, token_text
from viz.language.text import _, _n, capital
from viz.language.wording import in_a_row, no_words

ENTRY = Path(__file__).parent / "assets" / "outcome.js"

NOTABLE = 0.05
"""The smallest change of a probability that is notable."""

RUN = 5
"""The most unchanged words in a row that are written out; of a longer row, the length is given."""


@dataclass(frozen=True)
class Likely:
    """The probability of a piece, or of several, before and after; `lead` stands before it."""

    lead: str
    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """Return the size of the change, up or down."""
        return abs(self.after - self.before)


@dataclass(frozen=True)
class Decision:
    """A step of the translation before: its piece, the piece's rival, and all others together.

    `rival` is, for example, elle where `piece` is il; `others` are all pieces but these two.
    """

    piece: Likely
    rival: Likely
    others: Likely

    @property
    def bars(self) -> tuple[Likely, Likely, Likely]:
        """Return piece, rival and others; their probabilities add up to 1."""
        return self.piece, self.rival, self.others


@dataclass(frozen=True, eq=False)
class Outcome:
    """Both translations, and the probabilities of some pieces of the one before.

    `log_probs` are the log-probabilities of the translation before, in nats, before and after the
    change. `beside` are further pieces with a notable change. `changed` tells whether anything is
    changed in the model, `ahead` whether the decoder got all pieces at once and may look at later
    ones. `blanks` counts the pieces of a translation without words. `foreseen` names an experiment
    that nobody has made yet, and whose outcome is shown beforehand; `part` may say what it changes.
    """

    texts: tuple[str, str]
    log_probs: tuple[float, float]
    decision: Decision
    beside: Sequence[Likely]
    changed: bool
    ahead: bool = False
    blanks: int = 0
    foreseen: str = ""
    part: str = ""


def deciding_place(
    change: NDArray[np.float64], pairs: Sequence[int], focus: int | None
) -> tuple[int, list[int]]:
    """Choose the step that decides, and at most one other step with a notable change.

    `pairs` are the steps whose piece has a rival, such as il. If there are several, or none, the
    step in focus is chosen, else the one that changes most. `change` (T,) is that of probabilities.
    """
    most = [int(step) for step in np.argsort(-np.abs(change), kind="stable")]
    among = [step for step in most if step in pairs] or most
    first = focus if focus in among else among[0]
    others = [
        step for step in most if step != first and (step == focus or abs(change[step]) >= NOTABLE)
    ]
    return first, sorted(others, key=lambda step: step != focus)[:1]


def show(outcome: Outcome, key: str) -> None:
    """Draw both translations, one below the other, and how the probabilities change."""
    renderer("lab_outcome", ENTRY)(key=key, data=message(outcome))


def message(outcome: Outcome) -> dict[str, object]:
    """Return the data of the component; outcome_words.js makes the same on the site."""
    before, after = map(words_and_marks, outcome.texts)
    gone, new = differing(before, after)
    bars = (*outcome.decision.bars, *outcome.beside)
    return {
        "lines": [
            _line(before, gone),
            _line(after, new) or [["", _no_words(outcome.blanks), False]],
        ],
        "empty": [not before, not after],
        "logs": [f"{Number(log_prob):.2f}" for log_prob in outcome.log_probs],
        "changed": outcome.changed,
        "foreseen": outcome.foreseen,
        "bars": [{**vars(bar), "rest": bar is outcome.decision.others} for bar in bars],
        "colours": [QUERY, KEY],
        "said": said(outcome),
        "words": {
            "before": _("Now") if outcome.foreseen else _("Before"),
            "after": _("If pressed") if outcome.foreseen else _("After"),
            "log": _("log-probability")
            if outcome.texts[0] == outcome.texts[1]
            else _("log-probability of the words before"),
            "likely": _("How likely, if it sees all the words")
            if outcome.ahead
            else _("How likely, after the same beginning"),
        },
    }


def said(outcome: Outcome) -> str:
    """Say in a sentence what the change does, or would do, to the words and a probability."""
    if not outcome.changed:
        return _("Change something: what happens to the words is shown here.")
    if outcome.foreseen:
        values = {"name": outcome.foreseen, "part": outcome.part, "done": _done(outcome)}
        if outcome.part:
            return _("If you press “{name}” ({part}): {done}").format(**values)
        return _("If you press “{name}”: {done}").format(**values)
    return capital(_done(outcome))


def likelier_yet_worse(outcome: Outcome) -> str:
    """Return a warning if the log-probability rises although a piece or words are lost; else ""."""
    before, after = outcome.log_probs
    pieces = (outcome.decision.piece, *outcome.beside)
    falls = max(one.before - one.after for one in pieces) >= NOTABLE
    if not outcome.changed or after <= before or not (falls or lost(*outcome.texts)):
        return ""
    return _(
        "The log-probability rises all the same: other pieces are surer than before. Surer is not "
        "better."
    )


def lost(before: str, after: str) -> str:
    """Say how many words, or characters, of one text are lost in the other, new, or moved.

    They are the words that are marked: those without a partner in the alignment of both texts. One
    that is without in both has moved. If only new ones are there, say that they are added; if none
    is lost or new, that only the order or the punctuation differs; return "" for equal texts.
    """
    parts = [words_and_marks(text) for text in (before, after)]
    words, words_after = ([part.lstrip() for part in one if _has_text(part)] for one in parts)
    gone, come = (
        Counter(one[at].lstrip() for at in places if _has_text(one[at]))
        for one, places in zip(parts, differing(*parts), strict=True)
    )
    count, new, moved = (gone - come).total(), (come - gone).total(), (gone & come).total()
    if words and not words_after:
        return _("no word is left.")
    if words and count == len(words):
        return _("no word is kept.")
    if moved and (count or new):
        counted = (
            _n(
                "{count} character lost, {new} new, {moved} moved.",
                "{count} characters lost, {new} new, {moved} moved.",
                count,
            )
            if is_unspaced(before)
            else _n(
                "{count} word lost, {new} new, {moved} moved.",
                "{count} words lost, {new} new, {moved} moved.",
                count,
            )
        )
        return counted.format(count=count, new=new, moved=moved)
    if count:
        counted = (
            _n(
                "{count} character lost, {new} new.",
                "{count} characters lost, {new} new.",
                count,
            )
            if is_unspaced(before)
            else _n("{count} word lost, {new} new.", "{count} words lost, {new} new.", count)
        )
        return counted.format(count=count, new=new)
    if new:
        counted = (
            _n("{count} character is added.", "{count} characters are added.", new)
            if is_unspaced(after)
            else _n("{count} word is added.", "{count} words are added.", new)
        )
        return counted.format(count=new)
    if words != words_after:
        return _("only the order of the words changes.")
    return "" if before == after else _("the same words; only the punctuation changes.")


def _has_text(part: str) -> bool:
    """Tell whether a part of a text is a word, or bytes that are no text, and not only marks."""
    return "\ufffd" in part or any(map(str.isalnum, part))


def lead(pieces: Sequence[str], step: int) -> str:
    """Return what stands before a piece: the beginning of its word, or else the word before it."""
    before = "".join(map(token_text, pieces[:step])).replace("·", " ")
    within = not token_text(pieces[step]).startswith("·")
    last_word = before[before.rfind(" ") + 1 :]
    return last_word if within else f"{last_word} ".lstrip()


def _no_words(blanks: int) -> str:
    """Say that a translation has no words, and what the model has written instead."""
    if not blanks:
        return _("{no_words}: it stops at once").format(no_words=no_words())
    counted = _n(
        "{no_words}: {count} blank piece", "{no_words}: {count} blank pieces, one by one", blanks
    )
    return counted.format(no_words=no_words(), count=blanks)


def _done(outcome: Outcome) -> str:
    """Say what the change does; leave out the probability if the change is only foreseen."""
    most = max((outcome.decision.piece, *outcome.beside), key=lambda likely: likely.change)
    values = {
        "word": most.text,
        "before": f"{100 * most.before:.1f}",
        "after": f"{100 * most.after:.1f}",
    }
    if words := lost(*outcome.texts):
        if outcome.foreseen:
            return words
        likely = (
            _("Given all the words, the probability of “{word}” goes from {before} to {after}%.")
            if outcome.ahead
            else _(
                "The probability of “{word}” there, after the same beginning, goes from {before} "
                "to {after}%."
            )
        )
        return in_a_row((words, likely.format(**values)))
    if outcome.ahead:
        return _(
            "the same words, written one by one, where nothing lies ahead. Given all of them at "
            "once, “{word}” goes from {before} to {after}%."
        ).format(**values)
    if most.change < NOTABLE:
        return _(
            "“{word}” {before} to {after}%: the same words. It makes little difference here."
        ).format(**values)
    decision = outcome.decision
    if most is not decision.piece or max(bar.change for bar in decision.bars[1:]) < NOTABLE:
        return _("the same words, but “{word}” goes from {before} to {after}%.").format(**values)
    return _(
        "the same words, but “{word}” goes from {before} to {after}%, “{rival}” from {was} to "
        "{now}%, and all other pieces from {rest} to {left}%."
    ).format(
        **values,
        rival=decision.rival.text,
        was=f"{100 * decision.rival.before:.1f}",
        now=f"{100 * decision.rival.after:.1f}",
        rest=f"{100 * decision.others.before:.1f}",
        left=f"{100 * decision.others.after:.1f}",
    )


def _line(words: Sequence[str], changed: set[int]) -> list[list[object]]:
    """List the words of a text: the space before each, the word, and whether it has changed.

    Where many words in a row are equal, only the first few and the number of the others are listed.
    """
    return [entry for run in _runs(words) for entry in _written(words, run, changed)]


def _runs(words: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indices of each run of equal words."""
    for _word, run in groupby(range(len(words)), lambda index: words[index].lstrip()):
        yield list(run)


def _written(words: Sequence[str], run: list[int], changed: set[int]) -> list[list[object]]:
    shown: list[list[object]] = [
        [gap(words[at]), words[at].lstrip(), at in changed] for at in run[:RUN]
    ]
    if len(run) > RUN:
        shown.append([" ", _("… ({count} times)").format(count=len(run)), False])
    return shown
