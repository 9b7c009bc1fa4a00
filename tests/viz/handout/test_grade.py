"""Assignments: both languages ask the same, the solutions solve them, and faults are said."""

import csv
import io
import sys
from pathlib import Path

import pytest

from viz.handout import grade
from viz.handout.assignment import FOLDER, assignments
from viz.handout.grade import graded
from viz.language.text import languages

NAMES = list(assignments("en"))
PLAIN = "https://headlight.example/attention?sentence=I+see+a+cat."


def solutions() -> list[list[str]]:
    with (FOLDER / "solutions.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("code", list(languages()))
def test_each_language_has_the_same_assignments_with_the_same_conditions(code: str) -> None:
    own, english = assignments(code), assignments("en")
    assert list(own) == list(english) == [f"assignment-{number}" for number in range(1, 6)]
    for name in own:
        conditions = [
            [str(one.condition) for one in many[name].criteria] for many in (own, english)
        ]
        assert conditions[0] == conditions[1]


@pytest.mark.parametrize("name", NAMES)
def test_an_assignment_has_a_solution_with_all_points(name: str) -> None:
    head, *rows = solutions()
    own = [row for row in rows if row[0] == name]
    asked = assignments("en")[name]
    table = graded(asked, [head, *own])
    assert len(own) > 1
    points = [row[-3] for row in table[1:]]
    assert max(map(int, map(str, points))) == len(asked.criteria), table


@pytest.mark.parametrize("name", NAMES)
def test_an_unchanged_model_on_any_sentence_solves_none(name: str) -> None:
    asked = assignments("en")[name]
    (_, row) = graded(asked, [["link"], [PLAIN]])
    assert int(str(row[-3])) < len(asked.criteria)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("nothing", "no link in this row"),
        ("https://x.example/nowhere?sentence=Yes.", "no page is called 'nowhere'"),
        ("https://x.example/attention?sentence=", "the link names no sentence"),
        ("https://x.example/attention?sentence=Yes.&edits=what.1", "no change of the model"),
        ("https://x.example/attention?sentence=Yes.&edits=hide.1_of.123456", "another sentence"),
        (f"https://x.example/attention?sentence={'a' * 9000}", "a link has at most 8,000"),
        ("https://[x/attention?sentence=Yes.", "this is no link"),
    ],
)
def test_a_row_that_cannot_be_graded_says_why_and_the_others_are(link: str, problem: str) -> None:
    asked = assignments("en")["assignment-1"]
    _, bad, good = graded(asked, [["name", "link"], ["Ada", link], ["Bo", PLAIN]])
    assert problem in str(bad[-1])
    assert bad[-3] == 0
    assert good[-1] == ""
    assert good[2] == good[3] != ""


def test_the_table_keeps_columns_and_counts_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "links.csv"
    path.write_text(f"name,link,note\nAda,{PLAIN}&edits=zero.e.1.1,=1\n", encoding="utf-8-sig")
    monkeypatch.setattr(sys, "argv", ["headlight grade", "assignment-1", str(path)])
    assert grade.main() == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["name"], row["note"]) == ("Ada", "'=1")
    said = [row[criterion.words] for criterion in assignments("en")["assignment-1"].criteria]
    assert said[:2] == ["yes", "yes"]
    assert int(row["points"]) == said.count("yes")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("assignment-9",), "there is no 'assignment-9'; there are: assignment-1,"),
        (("assignment-1", "missing.csv"), "missing.csv: it cannot be read"),
        (("assignment-1", "{photo}"), "not a CSV file in UTF-8"),
        (("assignment-1", "{empty}"), "no row has a link with a sentence in it"),
    ],
)
def test_what_cannot_be_graded_is_said_in_one_line(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"photo": tmp_path / "photo", "empty": tmp_path / "empty"}
    files["photo"].write_bytes(b"\xff\xd8")
    files["empty"].write_text("name,link\n")
    asked = [one.format(**files) for one in arguments]
    monkeypatch.setattr(sys, "argv", ["headlight grade", *asked])
    assert grade.main() == 1
    assert said in capsys.readouterr().err
