"""Files of answers: what a teacher learns of them."""

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from viz.handout import check
from viz.handout.answers import KIND, SECRET, Answer, kept, read

FIRST = Answer("il_elle", 1, "Which pronoun?", "il", True, "en-fr", "2026-11-01T08:00:00Z")
SECOND = replace(FIRST, scene=2, choice="=elle", right=False, at="2026-11-01T08:00:09Z")


def file_of(*answers: Answer, name: str = "") -> bytes:
    content = {"kind": KIND, "name": name, "answers": [kept(answer) for answer in answers]}
    return json.dumps(content).encode()


@pytest.fixture(autouse=True)
def _no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET, raising=False)


def printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> list[dict[str, str]]:
    monkeypatch.setattr(sys, "argv", ["headlight check", *map(str, arguments)])
    assert check.main() == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_row_counts_what_was_answered_and_what_was_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(file_of(FIRST, SECOND, replace(FIRST, lesson="masks"), name="=Ada"))
    first, second = printed(monkeypatch, capsys, path)
    assert [first[key] for key in ("name", "lesson", "answered", "right", "code")] == [
        *("'=Ada", "il_elle", "2", "1", "fits")
    ]
    assert int(first["questions"]) > 2
    assert (second["lesson"], second["answered"]) == ("masks", "1")
    rows = printed(monkeypatch, capsys, "--each", path)
    assert [row["right"] for row in rows] == ["yes", "no", "yes"]
    assert rows[1]["answer"] == "'=elle"  # a spreadsheet must not compute it


def test_a_changed_answer_is_seen_and_so_is_a_copied_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(file_of(FIRST, SECOND))
    content["answers"][1]["right"] = True
    changed = json.dumps(content).encode()
    texts = {"own": file_of(FIRST), "changed": changed, "a": file_of(SECOND), "b": file_of(SECOND)}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    rows = printed(monkeypatch, capsys, *(tmp_path / name for name in texts))
    assert [row["code"] for row in rows] == ["fits", "changed", "copied", "copied"]


def test_with_a_secret_only_its_server_makes_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    without = file_of(FIRST)
    monkeypatch.setenv(SECRET, "a long word")
    with_ = file_of(FIRST)
    assert [read(data).answers[0].genuine for data in (without, with_)] == [False, True]
    monkeypatch.setenv(SECRET, "another")
    assert not read(with_).answers[0].genuine


def test_a_file_that_is_something_else_has_a_row_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = json.loads(file_of(FIRST))
    del lacking["answers"][0]["at"]
    wrong = json.loads(file_of(FIRST))
    wrong["answers"][0]["right"] = "yes"
    texts = {
        "photo": b"\xff\xd8",
        "list": b"[1]",
        "none": json.dumps({"kind": KIND, "answers": 3}).encode(),
        "lacking": json.dumps(lacking).encode(),
        "wrong": json.dumps(wrong).encode(),
        "deep": b"[" * 100_000,
        "empty": file_of(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    rows = printed(monkeypatch, capsys, *(tmp_path / name for name in texts), tmp_path / "missing")
    problems = {Path(row["file"]).name: row["problem"] for row in rows}
    assert set(problems) == {*texts, "missing"}
    assert all(problems.values())
    assert problems["missing"] == "it cannot be read: No such file or directory"
