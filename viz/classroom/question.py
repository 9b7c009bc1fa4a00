"""A question to a class, with its possible answers and the answer of the model."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Sort = Literal["choice", "text", "head", "word"]
"""The kinds of answers: one of some choices, a short text, a head on a board, a word."""


@dataclass(frozen=True)
class Question:
    """A question as everybody sees it; `text` is Markdown, the `options` are plain text.

    `place` is where it was asked (see `room.place_of`). If the answer is a head, the options are
    the heads of a `kind` of attention as its board shows them, row by row, with `heads` in a row.
    `query` and `key` are the words of the attention in question. `result` is the model's answer,
    which stays hidden until it is revealed: the `weights` of the options, or of some `texts`; the
    number or text that is `right`; and a comment in Markdown, `said`.
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
        """Return the question as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def read(written: str) -> "Question":
        """Read a question from the JSON of `written`."""
        fields: dict[str, Any] = json.loads(written)
        fields["options"] = tuple(fields["options"])
        return Question(**fields)

    def taken(self, answer: str) -> str | None:
        """Return an answer as it is stored, an option's number or a text; None if it is invalid."""
        if self.sort == "text":
            printable = "".join(
                character if character.isprintable() else " " for character in answer
            )
            return " ".join(printable.split()) or None
        if (
            answer.isascii()
            and answer.isdigit()
            and len(answer) < 6
            and int(answer) < len(self.options)
        ):
            return str(int(answer))
        return None

    def counts(self, answers: Sequence[str]) -> list[int]:
        """Return how many answers chose each option."""
        counted = Counter(answers)
        return [counted[str(number)] for number in range(len(self.options))]


def bare(answer: str) -> str:
    """Return a piece or an answer in lower case, without the mark for a space."""
    return answer.replace("·", " ").strip().casefold()


def tally(answers: Sequence[str]) -> list[tuple[str, int]]:
    """Return each answer with its count, most frequent first.

    Answers that are the same when `bare` count as one, written as the first of them.
    """
    written: dict[str, str] = {}
    for answer in answers:
        written.setdefault(bare(answer), answer)
    counts = Counter(bare(answer) for answer in answers if answer)
    return [(written[answer], count) for answer, count in counts.most_common()]


def tallies(
    question: Question, answers: Sequence[Sequence[str]]
) -> dict[str, tuple[list[int], float | None]]:
    """Return each text with its count in every round, and the model's weight or None if unknown.

    The texts of the last round come first, those of the model last. Texts that are the same when
    `bare` count as one, and its weight is that of the likeliest piece.
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
    """Return the overlap of two distributions, from 0 to 1, after each is scaled to sum to 1."""
    answered, expected = sum(counts), sum(weights)
    if not answered or not expected:
        return 0.0
    shares = zip(counts, weights, strict=True)
    return sum(min(a / answered, b / expected) for a, b in shares)
