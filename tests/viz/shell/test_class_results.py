"""How a class's answers are drawn and saved: bars, heat, boards, a table and a page."""

import csv
import io
import re
from dataclasses import replace

import pytest

from viz.classroom.question import Question
from viz.shell.class_screen import drawn, results

CHOICE = Question(
    "choice", "Which *pronoun*?", ("il", "elle <b>"), "./tokens  1", result={"right": 0}
)
NEXT = Question(
    "text", "Next?", (), "", result={"texts": ["·la", "·le"], "weights": [0.7, 0.2], "right": "·la"}
)
WORD = Question(
    *("word", "Where?", ("The", "animal"), "", "encoder"),
    query="it",
    result={"weights": [0.25, 0.75], "right": 1},
)
HEAD = Question(
    *(
        "head",
        "Which?",
        ("encoder 1.1", "encoder 1.2", "encoder 2.1", "encoder 2.2"),
        "",
        "encoder",
    ),
    heads=2,
    query="it",
    key="animal",
    result={"weights": [0.1, 0.996, 0.0, 0.3], "right": 1},
)


def test_bars_show_both_rounds_and_what_is_right() -> None:
    html = drawn.results(CHOICE, [["0", "1", "1", "1"], ["0", "0", "0", "1"]])
    assert re.findall(r"width: ([\d.]+)%", html) == ["25.0", "75.0", "75.0", "25.0"]
    assert re.findall(r'class="class-name( right)?">([^<]*)<', html) == [
        (" right", "il"),
        ("", "elle &lt;b&gt;"),
    ]
    assert "before talking: <b>1</b> of 4" in html
    assert "after talking: <b>3</b> of 4" in html
    sides = re.findall(r'class-side">([^<]*)<', html)
    assert sides == ["The class, before talking", "The class, after talking"]


def test_texts_stand_beside_the_pieces_of_the_model() -> None:
    html = drawn.results(NEXT, [["La", "la", "un", ""]])
    assert re.findall(r'class-name( right)?">([^<]*)<', html) == [
        (" right", "La"),
        ("", "un"),
        ("", "·le"),
    ]
    assert "<b>2</b> of 4 say what the model does" in html
    assert re.findall(r"[\d.]+%<", html) == ["70.0%<", "20.0%<"]  # of "un" nothing was measured


def test_the_word_that_a_piece_begins_is_what_the_model_does() -> None:
    result = {"texts": ["·machine", "·moteur"], "weights": [0.8, 0.1], "right": "·machine"}
    question = replace(NEXT, result={**result, "word": "machines"})
    given = ["Machines", "machine", "mach"]
    html = drawn.results(question, [given])
    assert re.findall(r'class-name right">([^<]*)<', html) == ["Machines", "machine"]
    assert "<b>2</b> of 3 say what the model does" in html


def test_the_heat_of_the_class_stands_beside_the_models_with_their_agreement() -> None:
    html = drawn.results(WORD, [["1", "1", "0", "0"]])
    assert re.findall(r"--share: ([\d.]+)%", html) == ["50.0", "50.0", "25.0", "75.0"]
    assert "<b>75%</b> in common with the model" in html
    assert "From <b>it</b>, <b>animal</b> gets the most weight: 0.75." in html


def test_boards_show_taps_and_weights() -> None:
    html = drawn.results(HEAD, [["1", "1", "3"]])
    cells = re.findall(r'class="class-cell([^"]*)"[^>]*>([^<]*)<', html)
    assert [said for _side, said in cells] == ["", "2", "", "1", ".10", "1.0", ".00", ".30"]
    assert [at for at, (side, _said) in enumerate(cells) if "right" in side] == [5]
    assert "<b>2</b> of 3 say what the model does" in html


def test_heads_that_two_decimals_do_not_tell_apart_are_all_right() -> None:
    question = replace(HEAD, result={"weights": [0.998, 1.0, 0.0, 0.3], "right": 1})
    html = drawn.results(question, [["0", "1", "3"]])
    assert "to <b>animal</b>: <b>encoder 1.1, encoder 1.2</b>, 1.00." in html
    assert "<b>2</b> of 3 say what the model does" in html
    assert html.count("class-cell right") == 2


def test_one_legend_serves_all_boards() -> None:
    assert drawn.results(HEAD, [["1"], ["1"]]).count("rows are layers") == 1


@pytest.mark.parametrize("question", [CHOICE, NEXT, WORD, HEAD], ids=lambda one: one.sort)
def test_nothing_is_drawn_wrong_where_nobody_has_answered(question: Question) -> None:
    html = drawn.results(question, [[]])
    assert "nan" not in html


def test_a_table_has_a_row_for_each_answer_and_starts_no_formula() -> None:
    text = results.table([(CHOICE, [["0", "1"], ["0"]]), (NEXT, [["=1+1", "la"]])])
    read = list(csv.DictReader(io.StringIO(text)))
    assert {(one["number"], one["question"]) for one in read} == {
        ("1", "Which pronoun?"),
        ("2", "Next?"),
    }
    assert [(one["answer"], one["round 1"], one["round 2"], one["model"]) for one in read] == [
        ("il", "1", "1", "1.0000"),
        ("elle <b>", "1", "0", "0.0000"),
        ("'=1+1", "1", "", ""),
        ("la", "1", "", "0.7000"),
        ("·le", "0", "", "0.2000"),
    ]


def test_a_saved_page_needs_nothing_else_and_escapes_what_was_typed() -> None:
    html = results.page([(CHOICE, [["0"]]), (NEXT, [["<script>alert(1)</script>"]])])
    assert "<h2>Which pronoun?</h2>" in html
    assert "&lt;script&gt;" in html
    assert not re.search(r"<script|src=|href=|url\(|@import", html)
    assert html.startswith("<!doctype html>")


def test_only_what_is_strongly_coloured_is_written_in_white() -> None:
    white = [rule for rule in drawn.STYLE.split("}") if "color: #fff" in rule]
    assert [rule.partition("{")[0].strip() for rule in white] == [".strong"]
    assert re.findall(r'class="([^"]*strong)"', drawn.results(WORD, [["1", "1", "1", "0"]])) == [
        "class-word strong",
        "class-word right strong",
    ]
