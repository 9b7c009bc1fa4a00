"""What a class has answered, in HTML: the same on the projector, on a phone, and in a file.

Whatever anybody has typed is escaped here.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from viz.classroom.question import Question, overlap, tally
from viz.figures.labels import kind_names
from viz.language.text import _

STYLE = (Path(__file__).parent / "results.css").read_text(encoding="utf-8")


def show(question: Question, answers: Sequence[Sequence[str]], said: bool = True) -> None:
    """Draw the answers on the page, with what is `said` of the model, in Markdown of ours."""
    st.html(f"<style>{STYLE}</style>")
    st.html(results(question, answers))
    if said and question.result.get("said"):
        st.markdown(question.result["said"])


def results(question: Question, answers: Sequence[Sequence[str]]) -> str:
    """Draw the answers of each round beside what the model does, and say what is seen."""
    draw = {"choice": _choices, "text": _texts, "head": _heads, "word": _words}[question.sort]
    drawn = draw(question, answers)
    said = "".join(f'<p class="class-said">{line}</p>' for line in sentences(question, answers))
    return f'<div class="class-results">{drawn}{said}</div>'


def _choices(question: Question, answers: Sequence[Sequence[str]]) -> str:
    rounds = [question.counts(given) for given in answers]
    right, weights = question.result.get("right"), question.result.get("weights")
    rows = [
        _bars(
            name,
            [(counts[at], sum(counts)) for counts in rounds],
            weights[at] if weights else None,
            at == right,
        )
        for at, name in enumerate(question.options)
    ]
    return f'<div class="class-bars">{"".join(rows)}</div>{_legend(len(rounds), bool(weights))}'


def _texts(question: Question, answers: Sequence[Sequence[str]]) -> str:
    rounds = [dict(tally(given)) for given in answers]
    names = list(dict.fromkeys(name for found in rounds[::-1] for name in found))[:MOST_TEXTS]
    model = dict(zip(question.result["texts"], question.result["weights"], strict=True))
    said = {bare(text): share for text, share in model.items()}
    wanted = bare(str(question.result["right"]))
    rows = [
        _bars(
            name,
            [(found.get(name, 0), sum(found.values())) for found in rounds],
            said.get(bare(name), 0.0),
            bare(name) == wanted,
        )
        for name in names
    ]
    known = {bare(name) for name in names}
    rows += [
        _bars(text, [(0, sum(found.values())) for found in rounds], share, bare(text) == wanted)
        for text, share in model.items()
        if bare(text) not in known
    ]
    return f'<div class="class-bars">{"".join(rows)}</div>{_legend(len(rounds), True)}'


MOST_TEXTS = 12
"""Texts that are shown, those that were given most often."""


def bare(text: str) -> str:
    """Return a piece or an answer without the mark of a space and in small letters."""
    return text.replace("·", " ").strip().casefold()


def _bars(name: str, rounds: Sequence[tuple[int, int]], weight: float | None, right: bool) -> str:
    bars = [
        _bar("first" if turn < len(rounds) - 1 else "last", count / (total or 1), str(count))
        for turn, (count, total) in enumerate(rounds)
    ]
    if weight is not None:
        bars.append(_bar("model", weight, f"{weight:.1%}"))
    side = " right" if right else ""
    return f'<div class="class-name{side}">{escape(name)}</div><div>{"".join(bars)}</div>'


def _bar(sort: str, share: float, said: str) -> str:
    bar = f'<div class="class-bar" style="width: {100 * share:.1f}%"></div>'
    return f'<div class="class-round {sort}">{bar}<span>{said}</span></div>'


def _legend(rounds: int, model: bool) -> str:
    """Say which bar is whose; one of a round of choices says it by itself."""
    pale = _("Pale: before talking; full: after.")
    framed = _("Framed: the model's probability.")
    said = " ".join([*([pale] if rounds > 1 else []), *([framed] if model else [])])
    return f'<p class="class-side">{said}</p>' if said else ""


def _words(question: Question, answers: Sequence[Sequence[str]]) -> str:
    rows = [
        (_round_name(turn, len(answers)), question.counts(given), max(len(given), 1))
        for turn, given in enumerate(answers)
    ]
    rows.append((_("The model: its attention to each key"), question.result["weights"], 1))
    right = question.result["right"]
    return "".join(
        f'<p class="class-side">{escape(side)}</p><div class="class-row">'
        + "".join(
            _word(word, counts[at] / total, at == right and side is rows[-1][0])
            for at, word in enumerate(question.options)
        )
        + "</div>"
        for side, counts, total in rows
    )


def _word(word: str, share: float, right: bool) -> str:
    side = f"{' right' if right else ''}{_strong(share)}"
    return (
        f'<div class="class-word{side}"{_share(share)}>{escape(word)}'
        f"<small>{share:.0%}</small></div>"
    )


def _share(share: float) -> str:
    return f' style="--share: {100 * share:.1f}%"'


def _strong(share: float) -> str:
    """Tell whether a colour is so strong that text on it is white."""
    return " strong" if share > 0.5 else ""


def _cell(value: float) -> str:
    """Write a count, or a weight in three signs: "3", ".58", "1.0"; nothing for nobody."""
    if isinstance(value, int):
        return str(value or "")
    return f"{value:.2f}"[1:] if value < 0.995 else f"{value:.1f}"


def _heads(question: Question, answers: Sequence[Sequence[str]]) -> str:
    right, weights = question.result["right"], question.result["weights"]
    most = max(weights) or 1
    boards = [
        _board(question, _round_name(turn, len(answers)), counts, max(max(counts), 1), None)
        for turn, given in enumerate(answers)
        for counts in [question.counts(given)]
    ]
    boards.append(
        _board(question, _("The model: the weight that each head gives"), weights, most, right)
    )
    return f'<div class="class-boards">{"".join(boards)}</div>'


def _board(
    question: Question, side: str, values: Sequence[float], most: float, right: int | None
) -> str:
    heads = question.heads
    cells = ["<span></span>", *(f"<span>{head + 1}</span>" for head in range(heads))]
    for at, value in enumerate(values):
        if at % heads == 0:
            cells.append(f"<span>{at // heads + 1}</span>")
        said = _cell(value)
        best = " right" if at == right else ""
        share = value / most
        cells.append(f'<span class="class-cell{best}{_strong(share)}"{_share(share)}>{said}</span>')
    board = f'<div class="class-board" style="--heads: {heads}">{"".join(cells)}</div>'
    kinds = {str(kind): name for kind, name in kind_names().items()}
    about = _("{kind}: rows are layers, columns heads").format(kind=kinds[question.kind])
    return f'<div><p class="class-side">{escape(side)}<br>{escape(about)}</p>{board}</div>'


def _round_name(turn: int, rounds: int) -> str:
    if rounds == 1:
        return _("The class")
    return _("The class, after talking") if turn else _("The class, before talking")


def sentences(question: Question, answers: Sequence[Sequence[str]]) -> list[str]:
    """Say in HTML how the class and the model compare, round by round."""
    result = question.result
    said: list[str] = []
    if question.sort in ("head", "word"):
        name = escape(question.options[result["right"]])
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
        if question.sort == "word":
            both = overlap(question.counts(given), result["weights"])
            said.append(
                _("{side}: {agreement} in common with the model's attention.").format(
                    side=side, agreement=f"<b>{both:.0%}</b>"
                )
            )
        elif result.get("right") is not None:
            right = agreeing(question, given)
            said.append(
                _("{side}: {right} of {all} say what the model does.").format(
                    side=side, right=f"<b>{right}</b>", all=len(given)
                )
            )
    return said


def agreeing(question: Question, given: Sequence[str]) -> int:
    """Count the answers that say what the model does."""
    right = question.result.get("right")
    if question.sort == "text":
        return sum(bare(text) == bare(str(right)) for text in given if text)
    return sum(text == str(right) for text in given)
