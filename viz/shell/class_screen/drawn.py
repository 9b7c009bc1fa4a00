"""The answers of a class as HTML: the same on the projector, on phones and in a file.

Everything that somebody has typed is escaped here.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from viz.classroom.question import Question, bare, overlap, tallies
from viz.figures.labels import kind_names
from viz.language.text import _

STYLE = (Path(__file__).parent / "results.css").read_text(encoding="utf-8")


def show(question: Question, answers: Sequence[Sequence[str]], said: bool = True) -> None:
    """Draw the answers on the page and, if `said`, the Markdown text that follows the question."""
    st.html(f"<style>{STYLE}</style>")
    st.html(results(question, answers))
    if said and question.result.get("said"):
        st.markdown(question.result["said"])


def results(question: Question, answers: Sequence[Sequence[str]]) -> str:
    """Return the answers of each round beside the model's, with sentences below them, as HTML."""
    draw = {"choice": _choices, "text": _texts, "head": _heads, "word": _words}[question.sort]
    drawn = draw(question, answers)
    said = "".join(f'<p class="class-said">{line}</p>' for line in sentences(question, answers))
    return f'<div class="class-results">{drawn}{said}</div>'


def _choices(question: Question, answers: Sequence[Sequence[str]]) -> str:
    rounds = [question.counts(given) for given in answers]
    right, weights = question.result.get("right"), question.result.get("weights")
    rows = [
        _row(
            name,
            [(counts[at], sum(counts)) for counts in rounds],
            weights[at] if weights else None,
            at == right,
        )
        for at, name in enumerate(question.options)
    ]
    return _bars(rows, len(rounds), bool(weights))


def _texts(question: Question, answers: Sequence[Sequence[str]]) -> str:
    """Draw the texts that were given most and the model's likeliest, whose weights are known."""
    texts = tallies(question, answers)
    hidden = [name for name, (_, weight) in texts.items() if weight is None][MOST_TEXTS:]
    totals = [sum(counts) for counts in zip(*(counts for counts, _ in texts.values()), strict=True)]
    rows = [
        _row(name, list(zip(counts, totals, strict=True)), weight, bare(name) in _meant(question))
        for name, (counts, weight) in texts.items()
        if name not in hidden
    ]
    return _bars(rows, len(answers), True)


MOST_TEXTS = 12
"""The most texts of the class, besides those of the model, that are shown."""


def _meant(question: Question) -> set[str]:
    """Return the texts that count as the model's answer: its piece, and the word it begins."""
    result = question.result
    return {bare(str(result["right"])), bare(str(result.get("word", result["right"])))}


def _bars(rows: Sequence[str], rounds: int, model: bool) -> str:
    """Draw the rows of answers, in a column for each round and, if asked for, one for the model."""
    sides = [_round_name(turn, rounds) for turn in range(rounds)]
    sides += [_("The model's probability")] if model else []
    heads = "".join(f'<div class="class-side">{escape(side)}</div>' for side in sides)
    return (
        f'<div class="class-bars" style="--columns: {len(sides)}"><div class="class-corner"></div>'
        f"{heads}{''.join(rows)}</div>"
    )


def _row(name: str, rounds: Sequence[tuple[int, int]], weight: float | None, right: bool) -> str:
    """Draw the row of an answer: a bar for each round, and a bar for the model's weight.

    `rounds` holds, for each round, the count of this answer and that of all answers.
    """
    bars = [_bar("class", count / (total or 1), str(count)) for count, total in rounds]
    if weight is not None:
        bars.append(_bar("model", weight, f"{weight:.1%}"))
    side = " right" if right else ""
    return f'<div class="class-name{side}">{escape(name)}</div>{"".join(bars)}'


def _bar(sort: str, share: float, said: str) -> str:
    bar = f'<div class="class-bar" style="width: {100 * share:.1f}%"></div>'
    return f'<div class="class-round {sort}">{bar}<span>{said}</span></div>'


def _words(question: Question, answers: Sequence[Sequence[str]]) -> str:
    """Draw the words once for each round, coloured by its answers, then by the model's weights."""
    weights, best = question.result["weights"], most_of(question)
    heats = [
        _heat(question, _agreement(question, given, turn, len(answers)), counts, ())
        for turn, given in enumerate(answers)
        for counts in [[count / max(len(given), 1) for count in question.counts(given)]]
    ]
    model = escape(_("The model: its attention to each key"))
    return "".join([*heats, _heat(question, model, weights, best)])


def _heat(question: Question, side: str, shares: Sequence[float], best: Sequence[int]) -> str:
    words = (_word(word, shares[at], at in best) for at, word in enumerate(question.options))
    return f'<p class="class-side">{side}</p><div class="class-row">{"".join(words)}</div>'


def _agreement(question: Question, given: Sequence[str], turn: int, rounds: int) -> str:
    """Say in HTML how much the answers of a round overlap with the model's attention."""
    both = overlap(question.counts(given), question.result["weights"])
    return _("{side}: {agreement} in common with the model's attention.").format(
        side=_round_name(turn, rounds), agreement=f"<b>{both:.0%}</b>"
    )


def _word(word: str, share: float, right: bool) -> str:
    side = f"{' right' if right else ''}{_strong(share)}"
    return (
        f'<div class="class-word{side}"{_share(share)}>{escape(word)}<span>{share:.0%}</span></div>'
    )


def _share(share: float) -> str:
    return f' style="--share: {100 * share:.1f}%"'


def _strong(share: float) -> str:
    """Return the CSS class of colours so strong that text on them is white; "" for others."""
    return " strong" if share > 0.5 else ""


def _cell(value: float) -> str:
    """Return a count, or a weight in three characters: "3", ".58", "1.0"; "" for a count of 0."""
    if isinstance(value, int):
        return str(value or "")
    return f"{value:.2f}"[1:] if value < 0.995 else f"{value:.1f}"


def _heads(question: Question, answers: Sequence[Sequence[str]]) -> str:
    weights = question.result["weights"]
    most, best = max(weights) or 1, most_of(question)
    boards = [
        _board(question, _round_name(turn, len(answers)), counts, max(max(counts), 1), ())
        for turn, given in enumerate(answers)
        for counts in [question.counts(given)]
    ]
    boards.append(
        _board(question, _("The model: the weight that each head gives"), weights, most, best)
    )
    kinds = {str(kind): name for kind, name in kind_names().items()}
    about = escape(_("{kind}: rows are layers, columns heads").format(kind=kinds[question.kind]))
    return f'<p class="class-side">{about}</p><div class="class-boards">{"".join(boards)}</div>'


def _board(
    question: Question, side: str, values: Sequence[float], most: float, right: Sequence[int]
) -> str:
    heads = question.heads
    cells = ["<span></span>", *(f"<span>{head + 1}</span>" for head in range(heads))]
    for at, value in enumerate(values):
        if at % heads == 0:
            cells.append(f"<span>{at // heads + 1}</span>")
        said = _cell(value)
        best = " right" if at in right else ""
        share = value / most
        cells.append(f'<span class="class-cell{best}{_strong(share)}"{_share(share)}>{said}</span>')
    board = f'<div class="class-board" style="--heads: {heads}">{"".join(cells)}</div>'
    return f'<div><p class="class-side">{escape(side)}</p>{board}</div>'


def _round_name(turn: int, rounds: int) -> str:
    if rounds == 1:
        return _("The class")
    return _("The class, after talking") if turn else _("The class, before talking")


def sentences(question: Question, answers: Sequence[Sequence[str]]) -> list[str]:
    """Return sentences in HTML that compare the class with the model, round by round."""
    result = question.result
    said: list[str] = []
    if question.sort in ("head", "word"):
        name = ", ".join(escape(question.options[at]) for at in most_of(question))
        weight = f"{result['weights'][result['right']]:.2f}"
        said.append(
            _("From {query}, {key} gets the most weight: {weight}.").format(
                query=f"<b>{escape(question.query)}</b>", key=f"<b>{name}</b>", weight=weight
            )
            if question.sort == "word"
            else _("Most weight from {query} to {key}: {head}, {weight}.").format(
                query=f"<b>{escape(question.query)}</b>",
                key=f"<b>{escape(question.key)}</b>",
                head=f"<b>{name}</b>",
                weight=weight,
            )
        )
    for turn, given in enumerate(answers):
        side = _round_name(turn, len(answers))
        if question.sort != "word" and result.get("right") is not None:
            right = agreeing(question, given)
            said.append(
                _("{side}: {right} of {all} say what the model does.").format(
                    side=side, right=f"<b>{right}</b>", all=len(given)
                )
            )
    return said


def agreeing(question: Question, given: Sequence[str]) -> int:
    """Count the answers that agree with the model."""
    right = question.result.get("right")
    if question.sort == "text":
        return sum(bare(answer) in _meant(question) for answer in given if answer)
    if question.sort == "head":
        return sum(int(answer) in most_of(question) for answer in given)
    return sum(answer == str(right) for answer in given)


def most_of(question: Question) -> list[int]:
    """Return the indices of the options whose weight is the largest, to two decimals."""
    weights = [round(weight, 2) for weight in question.result["weights"]]
    return [at for at, weight in enumerate(weights) if weight == max(weights)]
