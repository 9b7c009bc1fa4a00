"""The outcome of a change in the model: both translations, and the probabilities of pieces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.words import parted
from viz.components.component import renderer
from viz.components.two_texts import gap, new_words
from viz.figures.labels import Number
from viz.figures.theme import KEY, QUERY, token_text
from viz.language.text import _, _n
from viz.language.wording import no_words

_MAIN = Path(__file__).parent / "assets" / "outcome.js"

MOST = 3
"""The most pieces whose probabilities are shown."""

NOTABLE = 0.05
"""The smallest change of a probability that counts."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """Both translations, their log-probabilities in nats, and the pieces of the one before.

    The pieces have the probabilities (T,) `likely_before` and `likely_after`; those at `places` are
    shown. `changed` tells whether anything is changed in the model, `ahead` whether the decoder got
    all pieces at once and may look at later ones. `foreseen` names a change that is not made: its
    outcome is shown beforehand.
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
    before, after = (parted(text or no_words()) for text in outcome.texts)
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
                    "text": token_text(outcome.pieces[place]).lstrip("·"),
                    "before": round(float(outcome.likely_before[place]), 5),
                    "after": round(float(outcome.likely_after[place]), 5),
                }
                for place in outcome.places
            ],
            "colours": [QUERY, KEY],
            "said": said(outcome),
            "words": {
                "before": _("Before"),
                "after": _("Then") if outcome.foreseen else _("After"),
                "log": _("log-probability"),
                "likely": _("how likely the word before is"),
            },
        },
    )


def said(outcome: Outcome) -> str:
    """Say in a sentence what the change does, or would do, to the words and to a probability."""
    if not outcome.changed:
        return _("Press something: what happens to the words is shown here.")
    if outcome.foreseen:
        done = said(replace(outcome, foreseen=""))
        return _("If you press “{name}”: {done}").format(name=outcome.foreseen, done=done)
    change = outcome.likely_after - outcome.likely_before
    shown = [outcome.places[int(np.abs(change[list(outcome.places)]).argmax())]]
    values = {
        "word": token_text(outcome.pieces[shown[0]]).lstrip("·"),
        "before": f"{100 * outcome.likely_before[shown[0]]:.1f}",
        "after": f"{100 * outcome.likely_after[shown[0]]:.1f}",
    }
    before, after = (parted(text) for text in outcome.texts)
    count = max(len(new_words(before, after)), len(new_words(after, before)))
    if count:
        return _n(
            "{count} word changes. “{word}”, as before, goes from {before} to {after}%.",
            "{count} words change. “{word}”, as before, goes from {before} to {after}%.",
            count,
        ).format(count=count, **values)
    if outcome.ahead:
        return _(
            "The same words, written one by one, where nothing lies ahead. Given all of them at "
            "once, “{word}” goes from {before} to {after}%."
        ).format(**values)
    if np.abs(change).max(initial=0) < NOTABLE:
        return _(
            "“{word}” {before} to {after}%: the same words. The rest of the model is enough."
        ).format(**values)
    return _("The same words, but “{word}” goes from {before} to {after}%.").format(**values)


def _line(words: Sequence[str], changed: set[int]) -> list[list[object]]:
    """List the words of a text: the space before it, the word, and whether it has changed."""
    return [[gap(word), word.lstrip(), place in changed] for place, word in enumerate(words)]
