"""The command `headlight lesson`: what it writes, and what it refuses in a sentence."""

import sys
from pathlib import Path

import pytest

from viz import program
from viz.handout import __main__ as lesson
from viz.shell.lessons.shelf import VARIABLE, read_shelf

OWN = """# Mine

My lesson.

## One

Link: /tokens?sentence=Yes.

A sentence of {{pieces}} pieces.

Question: How many?
- one | pieces < 2
- more | otherwise
Then: It has {{pieces}}.
"""


def ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["headlight lesson", *map(str, arguments)])
    monkeypatch.setenv(VARIABLE, "")
    status = lesson.main()
    return (status, *capsys.readouterr())


def test_the_program_finds_its_parts_by_their_words() -> None:
    for module in program.PROGRAMS.values():
        assert callable(__import__(module, fromlist=["main"]).main)


def test_without_a_lesson_all_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = ended(monkeypatch, capsys, "--language", "zh")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == [
        one.name for one in read_shelf("zh").lessons
    ]


def test_a_teachers_own_file_becomes_a_worksheet_and_every_quiz(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "9-mine.en.md"
    own.write_text(OWN, encoding="utf-8")
    page = tmp_path / "sheet.html"
    for ending in (".xml", ".gift", ".zip"):
        quiz = tmp_path / f"quiz{ending}"
        status, out, _ = ended(monkeypatch, capsys, own, "--worksheet", page, "--quiz", quiz)
        assert (status, out.split()) == (0, [str(page), str(quiz)])
        assert quiz.stat().st_size > 500
    assert "How many?" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "there is no lesson called 'nothing'; there are: start, il_elle,"),
        (("masks",), "name a file to write"),
        (("none.md",), "none.md: there is no such file"),
        (("{own}", "--worksheet", "a.docx"), "a worksheet ends in .html or .pdf, not '.docx'"),
        (("{own}", "--quiz", "a"), "a quiz ends in .xml, .gift, .zip, not 'nothing'"),
        (("{own}", "--quiz", "/nowhere/a.xml"), "/nowhere/a.xml: it could not be written"),
        (("{broken}", "--quiz", "a.xml"), "broken.en.md:5: the scene"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"own": tmp_path / "mine.en.md", "broken": tmp_path / "broken.en.md"}
    files["own"].write_text(OWN, encoding="utf-8")
    files["broken"].write_text("# B\n\nLead.\n\n## One\n\nNo link.\n", encoding="utf-8")
    status, out, error = ended(monkeypatch, capsys, *(one.format(**files) for one in arguments))
    assert (status, out) == (1, "")
    assert said in error
    assert len(error.splitlines()) == 1
