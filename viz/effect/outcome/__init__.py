"""The outcome of a change in the model: both translations, and the probabilities of pieces."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.words import is_unspaced, parted
from viz.components.component import renderer
from viz.components.two_texts import gap, new_words
from viz.figures.labels import Number
from viz.figures.theme import KEY, QUERY, token_text
from viz.language.text import _, _n, capital
from viz.language.wording import no_words

_MAIN = Path(__file__).parent / "assets" / "outcome.js"

MOST = 3
"""The most pieces whose probabilities are shown."""

NOTABLE = 0.05
"""The smallest change of a probability that counts."""

RUN = 5
"""The most equal words in a row that are written; of more, their number is."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """Both translations, the pieces of the one before, and its log-probabilities in nats.

    These are before and after the change. The pieces have the probabilities (T,) `likely_before`
    and `likely_after`; those at `places` are shown. `changed` tells whether anything is changed in
    the model, `ahead` whether the decoder got all pieces at once and may look at later ones.
    `rivals` has the rivals of pieces at their places, such as elle for il, with the probabilities
    of each. `foreseen` names a change that is not made: its outcome is shown beforehand; `part` may
    say what it changes.
    """

    texts: tuple[str, str]
    log_probs: tuple[float, float]
    pieces: Sequence[str]
    likely_before: NDArray[np.float64]
    likely_after: NDArray[np.float64]
    places: tuple[int, ...]
    changed: bool
    ahead: bool = False
    foreseen: str = ""
    part: str = ""
    rivals: Mapping[int, tuple[str, float, float]] = field(default_factory=dict)


def places_in_focus(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    focus: int | None,
    most_shown: int = MOST,
) -> tuple[int, ...]:
    """Choose at most so many pieces to show, in their order, by their probabilities (T,).

    They are the one in focus, else the one that changes most, and others with a notable change.
    """
    change = np.abs(after - before)
    most = [int(place) for place in np.argsort(-change, kind="stable")]
    first = [focus] if focus is not None and focus < len(change) else most[:1]
    others = [place for place in most if change[place] >= NOTABLE and place not in first]
    return tuple(sorted([*first, *others][:most_shown]))


def show(outcome: Outcome, key: str) -> None:
    """Draw both translations, one below the other, and how the probabilities change."""
    before, after = map(parted, outcome.texts)
    renderer("lab_outcome", _MAIN)(
        key=key,
        data={
            "lines": [
                _line(before, new_words(after, before)),
                _line(after, new_words(before, after)),
            ],
            "logs": [f"{Number(one):.2f}" for one in outcome.log_probs],
            "changed": outcome.changed,
            "foreseen": outcome.foreseen,
            "pieces": [
                {
                    "place": place,
                    "lead": lead(outcome.pieces, place),
                    "text": _word(outcome, place),
                    "before": float(outcome.likely_before[place]),
                    "after": float(outcome.likely_after[place]),
                }
                for place in outcome.places
            ],
            "colours": [QUERY, KEY],
            "said": said(outcome),
            "words": {
                "before": _("Before"),
                "after": _("Then") if outcome.foreseen else _("After"),
                "log": _("log-probability")
                if outcome.texts[0] == outcome.texts[1]
                else _("log-probability of the words before"),
                "likely": _("How likely, if it sees all the words")
                if outcome.ahead
                else _("How likely, after the same beginning"),
            },
        },
    )


def said(outcome: Outcome) -> str:
    """Say in a sentence what the change does, or would do, to the words and to a probability."""
    if not outcome.changed:
        return _("Change something: what happens to the words is shown here.")
    if outcome.foreseen:
        values = {"name": outcome.foreseen, "part": outcome.part, "done": _done(outcome)}
        if outcome.part:
            return _("If you press “{name}” ({part}): {done}").format(**values)
        return _("If you press “{name}”: {done}").format(**values)
    return capital(_done(outcome))


def lost(before: str, after: str) -> str:
    """Say how many words, or characters, one text loses in the other, and how many are new there.

    Where none is lost it says how many are added, or that their order is another one; "" for equal
    texts.
    """
    first, second = (Counter(word.lstrip() for word in parted(text)) for text in (before, after))
    count, new, size = (first - second).total(), (second - first).total(), first.total()
    if size and not second:
        return _("no word is left.")
    if size and count == size:
        return _("no word is kept.")
    if count:
        told = (
            _n(
                "{count} character lost, {new} new.",
                "{count} characters lost, {new} new.",
                count,
            )
            if is_unspaced(before)
            else _n("{count} word lost, {new} new.", "{count} words lost, {new} new.", count)
        )
        return told.format(count=count, new=new)
    if new:
        told = (
            _n("{count} character is added.", "{count} characters are added.", new)
            if is_unspaced(after)
            else _n("{count} word is added.", "{count} words are added.", new)
        )
        return told.format(count=new)
    same = [word.lstrip() for word in parted(before)] == [word.lstrip() for word in parted(after)]
    return "" if same else _("only the order of the words changes.")


def lead(pieces: Sequence[str], place: int) -> str:
    """Return what stands before a piece: the beginning of its word, else the word before it."""
    text = "".join(map(token_text, pieces[:place])).replace("·", " ")
    within = not token_text(pieces[place]).startswith("·")
    return text[text.rfind(" ") + 1 :] if within else f"{text[text.rfind(' ') + 1 :]} ".lstrip()


def _word(outcome: Outcome, place: int) -> str:
    return token_text(outcome.pieces[place]).lstrip("·")


def _done(outcome: Outcome) -> str:
    """Say what the change does; what is only foreseen leaves the probability to its bar."""
    change = outcome.likely_after - outcome.likely_before
    shown = [outcome.places[int(np.abs(change[list(outcome.places)]).argmax())]]
    values = {
        "word": _word(outcome, shown[0]),
        "before": f"{100 * outcome.likely_before[shown[0]]:.1f}",
        "after": f"{100 * outcome.likely_after[shown[0]]:.1f}",
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
        return f"{words} {likely.format(**values)}"
    if outcome.ahead:
        return _(
            "the same words, written one by one, where nothing lies ahead. Given all of them at "
            "once, “{word}” goes from {before} to {after}%."
        ).format(**values)
    if np.abs(change).max(initial=0) < NOTABLE:
        return _(
            "“{word}” {before} to {after}%: the same words. It makes little difference here."
        ).format(**values)
    if rival := outcome.rivals.get(shown[0]):
        text = _(
            "the same words, but “{word}” goes from {before} to {after}%, and “{rival}” from "
            "{was} to {now}%."
        )
        was, now = (f"{100 * likely:.1f}" for likely in rival[1:])
        return text.format(**values, rival=rival[0], was=was, now=now)
    return _("the same words, but “{word}” goes from {before} to {after}%.").format(**values)


def _line(words: Sequence[str], changed: set[int]) -> list[list[object]]:
    """List the words of a text: the space before it, the word, and whether it has changed.

    Of a long run of equal words a few stand there, and then how many there are.
    """
    if not words:
        return [["", no_words(), False]]
    return [entry for run in _runs(words) for entry in _written(words, run, changed)]


def _runs(words: Sequence[str]) -> Iterator[list[int]]:
    """Group the places of equal words that follow one another."""
    for _word, places in groupby(range(len(words)), lambda place: words[place].lstrip()):
        yield list(places)


def _written(words: Sequence[str], run: list[int], changed: set[int]) -> list[list[object]]:
    shown: list[list[object]] = [
        [gap(words[at]), words[at].lstrip(), at in changed] for at in run[:RUN]
    ]
    if len(run) > RUN:
        shown.append([" ", _("… ({count} times)").format(count=len(run)), False])
    return shown
