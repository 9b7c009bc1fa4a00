"""The kept numbers of lessons: for which weights they count, and the command that writes them."""

import json
import shutil
from pathlib import Path

import pytest

from viz.compute import models
from viz.compute.runs import Subject
from viz.shell.lessons import measures, numbers, renew, shelf
from viz.shell.lessons.shelf import made_for, shipped, subject_of

LESSON = (
    "# Own\n\nModel: en-fr\n\nA lesson.\n\n## One\n\n"
    "Link: /attention?sentence=Hello.&step={{pieces}}\n\n"
    "It says {{translation}}.\n\nQuestion: Which?\n- a | pieces > 90\n- b | pieces > 80\n\n"
    "## Two\n\nLink: /attention?sentence=Hello.\n\nHi.\nExpect: translation has dragon\n"
    "\n## Three\n\nLink: /decoder?sentence=Hello.&step={{row of dragon}}\n\nHi.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the model's folder in its place, and a lesson alone on the shelf."""
    own = tmp_path / "en-fr"
    shutil.copytree(
        models.folder_of("en-fr"), own, ignore=shutil.ignore_patterns("*.npz", "lessons*")
    )
    monkeypatch.setattr(models, "folder_of", lambda _name: own)
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "own.en.md").write_text(LESSON, encoding="utf-8")
    monkeypatch.setattr(shelf, "OURS", tmp_path / "lessons")
    return own


def test_one_command_keeps_all_numbers_and_reports_scenes_that_do_not_fit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["renew"])
    with pytest.raises(ValueError, match="has not been measured"):
        numbers.known("pieces", Subject("Hello."))
    assert renew.main() == 1
    printed = capsys.readouterr().out.splitlines()
    assert any(line.startswith("own, scene 1, One: no choice is right") for line in printed)
    assert any(line.startswith("own, scene 3, Three: no word 'dragon'") for line in printed)
    expected = "own, scene 2, Two: expected translation has dragon; it is "
    assert any(line.startswith(expected) for line in printed)
    kept = json.loads((folder / "lessons.json").read_text(encoding="utf-8"))["numbers"]
    assert kept["Hello."][""]["pieces"] == measures.measure("pieces", Subject("Hello."))
    assert set(kept["Hello."][""]) == {"pieces", "translation"}
    assert numbers.known("pieces", Subject("Hello.")) == kept["Hello."][""]["pieces"]


def test_numbers_of_other_weights_do_not_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: numbers.Numbers = {}
    numbers.put(found, "pieces", Subject("Hello."), 77.0)
    numbers.write("en-fr", found)
    assert measures.written("pieces", Subject("Hello.")) == "77"
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    trained_on = folder.rename(folder.parent / "trained on")
    monkeypatch.setattr(models, "folder_of", lambda _name: trained_on)
    assert measures.written("pieces", Subject("Hello.")) != "77"


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"weights": ""}'])
def test_a_folder_without_sound_numbers_has_none(folder: Path, content: str | None) -> None:
    if content is not None:
        (folder / "lessons.json").write_text(content, encoding="utf-8")
    assert numbers.read("en-fr") == {}


@pytest.mark.parametrize("lesson", shipped(), ids=lambda lesson: lesson.name)
def test_all_that_a_shipped_lesson_shows_is_kept(lesson: shelf.Lesson) -> None:
    """Where this fails, the weights or the lessons are new: measure them by the command."""
    with models.using(made_for(lesson)):
        for scene in lesson.scenes:
            subject = subject_of(scene, numbers.known)
            for text in scene.measures:
                numbers.known(text, subject)
        assert list(renew.misfits(lesson)) == []
