"""The results of a class: all questions, answers and the model's answers, to save or forget."""

from collections.abc import Iterator
from html import escape

import streamlit as st

from viz.classroom.place import room
from viz.classroom.question import Question, tallies
from viz.language.text import _, _n, language
from viz.link.settings import choose_class
from viz.shell.class_screen import drawn
from viz.shell.class_screen.seat import Seat
from viz.shell.class_screen.start import kept
from viz.shell.csv_file import csv_text


def show_results(seat: Seat) -> None:
    """Draw all questions with their answers, and the buttons that save or forget them."""
    asked = [
        (question, room().answers(seat.code, number))
        for number, question in enumerate(room().questions(seat.code), 1)
    ]
    with st.container(key="class results"):
        st.header(_("What the class answered"), anchor=False)
        st.markdown(
            _n(
                "{people} joined, one question was asked. Save what you need: then forget it.",
                "{people} joined, {count} questions were asked. "
                "Save what you need: then forget it.",
                len(asked),
            ).format(people=room().people(seat.code), count=len(asked))
        )
        with st.container(horizontal=True, gap="small"):
            _download(_("Save as a page (HTML)"), page(asked), "html", "text/html")
            _download(_("Save as a table (CSV)"), table(asked), "csv", "text/csv")
            st.button(
                _("Forget everything now"),
                key="class forget",
                icon=":material/delete_forever:",
                on_click=_forget,
                args=(seat,),
            )
        st.caption(kept())
        for question, answers in asked:
            st.markdown(f"#### {question.text}")
            drawn.show(question, answers)


def _download(label: str, text: str, ending: str, mime: str) -> None:
    st.download_button(
        label,
        text.encode("utf-8-sig" if ending == "csv" else "utf-8"),
        file_name=f"headlight-class.{ending}",
        mime=mime,
        on_click="ignore",
        icon=":material/download:",
    )


def _forget(seat: Seat) -> None:
    room().forget(seat.code)
    choose_class("")


Asked = list[tuple[Question, list[list[str]]]]


def table(asked: Asked) -> str:
    """Return all answers as CSV: a row for each, with its count in both rounds and its weight."""
    lines: list[list[object]] = [
        ["number", "question", "kind", "query", "key", "answer", "round 1", "round 2", "model"]
    ]
    for number, (question, answers) in enumerate(asked, 1):
        about = [number, _plain(question.text), question.sort, question.query, question.key]
        for answer, counts, weight in rows(question, answers):
            probability = f"{weight:.4f}" if weight != "" else ""
            lines.append([*about, answer, *counts, probability])
    return csv_text(lines)


def rows(
    question: Question, answers: list[list[str]]
) -> Iterator[tuple[str, tuple[int, int | str], float | str]]:
    """Yield each answer, its counts in the two rounds, and the weight that the model gives it.

    "" stands for a round that did not take place, and for a weight that is not known.
    """
    if question.sort == "text":
        for name, (counts, weight) in tallies(question, answers).items():
            yield name, _both(counts), "" if weight is None else weight
        return
    right = question.result.get("right")
    weights = question.result.get("weights") or [
        1.0 if at == right else 0.0 for at in range(len(question.options))
    ]
    rounds = [question.counts(given) for given in answers]
    for name, weight, *counts in zip(question.options, weights, *rounds, strict=True):
        yield name, _both(counts), weight


def _both(counts: list[int]) -> tuple[int, int | str]:
    return counts[0], counts[1] if len(counts) > 1 else ""


def page(asked: Asked) -> str:
    """Return all questions and answers as one HTML page that needs no other files."""
    title = escape(_("What the class answered"))
    parts = [
        f"<h2>{escape(_plain(question.text))}</h2>{drawn.results(question, answers)}"
        f"<p>{escape(_plain(question.result.get('said', '')))}</p>"
        for question, answers in asked
    ]
    style = (
        "body { font: 17px/1.45 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }"
    )
    return (
        f'<!doctype html><html lang="{language()}"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{style}{drawn.STYLE}</style><h1>{title}</h1>{''.join(parts)}</html>"
    )


def _plain(markdown: str) -> str:
    """Return the simple Markdown of a question as plain text, without asterisks and escapes."""
    unmarked = markdown.replace("**", "")
    out, at = [], 0
    while at < len(unmarked):
        if unmarked[at] == "\\" and at + 1 < len(unmarked):
            at += 1
        elif unmarked[at] == "*":
            at += 1
            continue
        out.append(unmarked[at])
        at += 1
    return "".join(out)
