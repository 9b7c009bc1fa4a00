"""Many sentences: a table with figures of each, which fills as they are translated."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from model.sites.sites import Head
from viz.compute import atlas, many
from viz.compute.many import LONGEST_FILE, MOST, Line, Row, Table
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.language.text import _, later
from viz.language.wording import escaped
from viz.link.choice import choose_between, choose_one
from viz.pages.atlas.many_groups import by_length, by_word, columns_of
from viz.shell import state
from viz.shell.csv_file import csv_text
from viz.shell.heavy import heavy

_BOX, _FILE, _TABLE, _FILTER = "many box", "many file", "many table", "many filter"
_BESIDE, _WORD, _FIGURE = "many beside", "many word", "many figure"
_START, _STOP = "many start", "many stop"

EVERY, LENGTH, WORD = later("every sentence"), later("by length"), later("with and without a word")

Columns = Mapping[str, Sequence[object]]


def show(run: Run) -> None:
    """Draw the box for sentences and, as soon as some are translated, their table."""
    row = st.columns([3, 2])
    lines = _lines(row)
    with row[1]:
        other = _other()
    if not lines:
        return
    head = state.attention_controls(run.recording)
    changed = run.recording.interventions
    beside = _("by {model}").format(model=other) if other else ""
    beside = beside or (_before() if changed else "")
    translated = many.known(lines, changed, head, other)
    start, below = st.container(horizontal=True), st.container()
    if len(translated.rows) < len(lines) and _asked(len(lines), len(translated.rows), start):
        # Any press ends this run of the script; the next run shows the table so far.
        start.button(_("Stop"), icon=":material/stop:", key=_STOP)
        with below, heavy(_("Translating")):
            filling = st.empty()
            for each in many.fill(lines, changed, head, other):
                some = lines[: len(each.rows)]
                filling.dataframe(
                    columns := _columns(some, each, beside, head),
                    hide_index=True,
                    column_config=_widths(columns),
                )
        st.rerun()
    if translated.rows:
        with below:
            _show_table(lines[: len(translated.rows)], translated, beside, head)


def _before() -> str:
    return _("before the change")


def _other() -> str:
    """Draw the choice of another model of the same languages; return its name or ""."""
    others = many.others()
    if not others:
        return ""
    return st.selectbox(
        _("Another model beside it"),
        ["", *others],
        format_func=lambda name: name or _("none"),
        key=_BESIDE,
    )


def _lines(row: Sequence[DeltaGenerator]) -> tuple[Line, ...]:
    """Draw the box and the file's button; return the sentences, or say what is wrong."""
    offered = "\n".join(sentence.text for sentence in atlas.offered()[:20])
    typed = row[0].text_area(
        _("Sentences, one on each line, at most {count}; a tab and a reference may follow").format(
            count=MOST
        ),
        offered,
        key=_BOX,
        height=190,
    )
    file = row[1].file_uploader(
        _("or a file of them: text or TSV, UTF-8, up to {size} MB").format(
            size=LONGEST_FILE // 1_000_000
        ),
        key=_FILE,
        max_upload_size=LONGEST_FILE // 1_000_000,
    )
    if file and file.size > LONGEST_FILE:
        st.warning(
            _("This file is too large: at most {size} MB are read.").format(
                size=LONGEST_FILE // 1_000_000
            )
        )
        return ()
    try:
        read = many.read_lines(file.getvalue() if file else (typed or "").encode())
    except ValueError:
        st.warning(
            _("There is no sentence to read: UTF-8 text is needed, one sentence on each line.")
        )
        return ()
    if read.dropped:
        st.caption(
            _("Only the first {count} sentences are taken, {dropped} are left out.").format(
                count=MOST, dropped=read.dropped
            )
        )
    return read.lines


def _asked(count: int, done: int, slot: DeltaGenerator) -> bool:
    label = _("Translate {count} sentences") if not done else _("Go on: {count} sentences are left")
    label = label.format(count=count - done)
    # A press that also ends the typing changes the label; with a key, the press still counts.
    return slot.button(label, type="primary", icon=":material/translate:", key=_START)


def _columns(
    lines: Sequence[Line], table: Table, beside: str, head: Head
) -> dict[str, list[object]]:
    """Return the columns of the table by their names on screen."""
    rows = table.rows
    columns: dict[str, list[object]] = {
        _("sentence"): [line.text for line in lines],
        _("translation"): [row.translation for row in rows],
    }
    if beside:
        columns[beside] = [row.translation for row in table.beside]
    if any(line.reference for line in lines):
        columns[_("reference")] = [line.reference for line in lines]
        own, there = (
            [many.chrf_of(line, row) for line, row in zip(lines, side, strict=True)]
            for side in (rows, table.beside)
        )
        columns["chrF"] = [_rounded(score, 1) for score in own]
        if beside:
            columns[f"chrF, {beside}"] = [_rounded(score, 1) for score in there]
            lost = [then - now for then, now in zip(there, own, strict=True)]
            columns[_("chrF more there")] = [_rounded(score, 1) for score in lost]
    likely = _("log-probability a piece")
    columns[likely] = [_rounded(row.likely, 3) for row in rows]
    if beside:
        columns[f"{likely}, {beside}"] = [_rounded(row.likely, 3) for row in table.beside]
    columns[_sharpness(head)] = [_rounded(row.sharp, 2) for row in rows]
    columns[_("source looked at")] = [_rounded(row.covered, 2) for row in rows]
    columns[_("repeated words")] = [row.repeated for row in rows]
    return columns


def _sharpness(head: Head) -> str:
    return _("sharpness of {head}").format(head=state.head_name(head))


def _widths(columns: Columns) -> dict[str, Any]:
    """Set the widths of the columns of text, so that the figures beside them are in view."""
    texts = [
        name for name, cells in columns.items() if any(isinstance(cell, str) for cell in cells)
    ]
    width = "large" if len(texts) < 3 else "medium"
    return {name: st.column_config.TextColumn(width=width) for name in texts}


def _rounded(value: float, digits: int) -> float | None:
    return None if np.isnan(value) else round(value, digits)


def _show_table(lines: Sequence[Line], table: Table, beside: str, head: Head) -> None:
    """Draw the filters, the scores, and the table of the sentences or of their groups."""
    grouped = choose_one(_("Rows"), [EVERY, LENGTH, WORD], "grouped", bare=True)
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    word = (bar.text_input(_("Only sentences with"), key=_FILTER, width=220) or "").strip().lower()
    inside = _within(_columns(lines, table, beside, head), bar)
    shown = [n for n, line in enumerate(lines) if inside[n] and word in _said(line, table.rows[n])]
    if not shown:
        st.info(_("There is no such sentence."))
        return
    if len(shown) < len(lines):
        st.caption(_("{some} of {count} sentences").format(some=len(shown), count=len(lines)))
    some = [lines[n] for n in shown]
    own = Table(tuple(table.rows[n] for n in shown), tuple(table.beside[n] for n in shown))
    if grouped == EVERY:
        columns = _columns(some, own, beside, head)
    else:
        asked = bar.text_input(_("The word"), "it", key=_WORD, width=120) if grouped == WORD else ""
        groups = by_word(some, asked.strip()) if asked.strip() else by_length(own.rows)
        columns = columns_of(groups, some, own, beside, _sharpness(head))
    bar.download_button(
        _("Save as CSV"), _csv(columns), "sentences.csv", "text/csv", icon=":material/download:"
    )
    with bar:
        _show_scores(some, own, beside)
    if grouped == EVERY:
        _show_rows(columns, some)
    else:
        show_table(columns, height="content")


def _within(columns: Columns, bar: DeltaGenerator) -> list[bool]:
    """Draw the choice of a figure and of its range; return True for each sentence inside."""
    figures = {
        name: [cell if isinstance(cell, float | int) else np.nan for cell in cells]
        for name, cells in columns.items()
        if not any(isinstance(cell, str) for cell in cells)
    }
    name = bar.selectbox(
        _("Only by a figure"),
        ["", *figures],
        format_func=lambda cell: cell or _("any"),
        key=_FIGURE,
        width=220,
    )
    if not name:
        return [True] * len(next(iter(columns.values())))
    decimals = [
        len(str(cell).partition(".")[2]) for cell in columns[name] if isinstance(cell, float)
    ]
    return choose_between(
        _("From, to"), figures[name], max(decimals, default=0), f"within {name}", bar
    )


def _show_rows(columns: Columns, lines: Sequence[Line]) -> None:
    """Draw a row for each sentence; a button shows the marked sentence on all pages."""
    chosen = st.dataframe(
        columns,
        hide_index=True,
        column_config=_widths(columns),
        key=_TABLE,
        on_select="rerun",
        selection_mode="single-row",
    )
    picked = chosen.selection.rows
    if picked and picked[0] < len(lines):
        st.button(
            _("Show this sentence on all pages"),
            icon=":material/open_in_new:",
            on_click=_take,
            args=(lines[picked[0]].text,),
        )
    else:
        st.caption(_("Mark a row to show its sentence on all pages. A column's name sorts by it."))


def _said(line: Line, row: Row) -> str:
    return f"{line.text} {row.translation}".lower()


def _show_scores(lines: Sequence[Line], table: Table, beside: str) -> None:
    scores = many.scores(lines, table.rows)
    if scores is None:
        return
    sentence = _("BLEU **{bleu}** · chrF **{chrf}** over {count} sentences").format(
        bleu=f"{scores.bleu:.1f}", chrf=f"{scores.chrf:.1f}", count=scores.sentences
    )
    if beside and (there := many.scores(lines, table.beside)):
        bleu, chrf = there.bleu - scores.bleu, there.chrf - scores.chrf
        sentence += " · " + (
            _("the change costs {bleu} BLEU and {chrf} chrF")
            if beside == _before()
            else _("{beside}: {bleu} BLEU and {chrf} chrF more")
        ).format(beside=escaped(beside), bleu=f"{Number(bleu):.1f}", chrf=f"{Number(chrf):.1f}")
    st.markdown(sentence)


def _take(sentence: str) -> None:
    st.session_state["sentence"] = sentence


def _csv(columns: Columns) -> bytes:
    """Write columns as a CSV file."""
    return csv_text([columns, *zip(*columns.values(), strict=True)]).encode("utf-8-sig")
