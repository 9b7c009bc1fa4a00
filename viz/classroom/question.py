"""A question to a class: its possible answers, and the model's answer."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Sort = Literal["choice", "text", "head", "word"]
"""The kinds of answers: one of some choices, a short text, a head on a board, a word."""


@dataclass(frozen=True)
class Question:
    """A question as all see it; `text` is Markdown, the `options` are plain text.

    `place` is where it was asked (see `room.place_of`). A head's options are those of the board of
    a `kind` of attention, row by row, with `heads` in a row. `query` and `key` are the words of the
    attention in question. `result` is the model's answer, which stays hidden until it is revealed:
    the `weights` of the options, or `texts` with theirs; the place or text that is `right`; and a
    comment, `said`, in Markdown.
    """

    sort: Sort
    text: str
    options: tuple[str, ...]
    place: str
    kind: str = ""
    heads: int = 0
    query: str = ""
    key: str = ""
    result: dict[str, Any] = field(default_factory=dict)

    def written(self) -> str:
        """Write the question as one text."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def read(text: str) -> "Question":
        """Read a text of `written`."""
        held: dict[str, Any] = json.loads(text)
        held["options"] = tuple(held["options"])
        return Question(**held)

    def taken(self, text: str) -> str | None:
        """Return an answer in its stored form, an option's number or a text; None if invalid."""
        if self.sort == "text":
            shown = "".join(one if one.isprintable() else " " for one in text)
            return " ".join(shown.split()) or None
        if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < len(self.options):
            return str(int(text))
        return None

    def counts(self, answers: Sequence[str]) -> list[int]:
        """Count the answers to each option."""
        found = Counter(answers)
        return [found[str(place)] for place in range(len(self.options))]


def bare(text: str) -> str:
    """Return a piece or an answer in lower case, without the mark for a space."""
    return text.replace("·", " ").strip().casefold()


def tally(answers: Sequence[str]) -> list[tuple[str, int]]:
    """Tally texts, most frequent first; those that are the same when `bare` count as the first."""
    names: dict[str, str] = {}
    for text in answers:
        names.setdefault(bare(text), text)
    found = Counter(bare(text) for text in answers if text)
    return [(names[text], count) for text, count in found.most_common()]


def tallies(
    question: Question, answers: Sequence[Sequence[str]]
) -> dict[str, tuple[list[int], float | None]]:
    """Return each text with its count in every round and the model's weight, None if not known.

    The texts of the last round come first, the model's own last; those that are the same when
    `bare` are one. Of two pieces that are the same, the weight is that of the likelier.
    """
    rounds = [tally(given) for given in answers]
    model = list(zip(question.result["texts"], question.result["weights"], strict=True))
    weights = {bare(text): weight for text, weight in reversed(model)}
    names: dict[str, str] = {}
    for text in [
        *(text for given in rounds[::-1] for text, _ in given),
        *(text for text, _ in model),
    ]:
        names.setdefault(bare(text), text)
    counts = [{bare(text): count for text, count in given} for given in rounds]
    return {
        name: ([given.get(text, 0) for given in counts], weights.get(text))
        for text, name in names.items()
    }


def overlap(counts: Sequence[float], weights: Sequence[float]) -> float:
    """Return the overlap of two distributions, from 0 to 1; both are scaled to add up to 1."""
    both, against = sum(counts), sum(weights)
    if not both or not against:
        return 0.0
    shares = zip(counts, weights, strict=True)
    return sum(min(a / both, b / against) for a, b in shares)
