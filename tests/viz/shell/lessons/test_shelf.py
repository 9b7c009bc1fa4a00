"""Lessons in another language: which file is read, and that both say the same of the model."""

import re
from pathlib import Path

import pytest

from tests.emphasis import unseen_emphasis
from viz.compute import models
from viz.shell.lessons.format import Lesson, measures_in, name_of
from viz.shell.lessons.shelf import OURS, VARIABLE, lesson_link, read_shelf, scene_link

TWINS = sorted(path for path in OURS.glob("*.*.md") if path.name.split(".")[1] != "en")
LANGUAGES = sorted({path.name.split(".")[1] for path in TWINS})
SCENE = "# {title}\n\nA lesson.\n\n## One\n\nLink: /attention?kind=cross\n\nIt says.\n"


@pytest.fixture
def _every_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model that a lesson names is there, by its name."""
    texts = [path.read_text(encoding="utf-8") for path in OURS.glob("*.md")]
    named = re.findall(r"^Model: (.+)$", "\n".join(texts), re.MULTILINE)
    monkeypatch.setattr(models, "folders", lambda: dict.fromkeys(["en-fr", *named], Path("x")))


def frame(lesson: Lesson) -> list[object]:
    """List what a translator must leave alone: links, measures, conditions, expectations."""
    return [
        (
            scene.page,
            scene.parameters,
            scene.covers,
            sorted(measures_in(scene.text)),
            sorted(measures_in(scene.paper)),
            [str(each.condition) for each in scene.question.choices] if scene.question else None,
            [(str(said.condition), sorted(measures_in(said.text))) for said in scene.question.then]
            if scene.question
            else None,
            [str(each) for each in scene.expectations],
        )
        for scene in lesson.scenes
    ]


@pytest.mark.parametrize("path", TWINS, ids=[path.name for path in TWINS])
@pytest.mark.usefixtures("_every_model")
def test_a_translated_lesson_shows_and_asks_the_same_of_the_model(path: Path) -> None:
    name, language = name_of(path.name), path.name.split(".")[1]
    english, translated = read_shelf("en").find(name), read_shelf(language).find(name)
    assert english
    assert translated
    assert translated.file == path.name
    assert frame(translated) == frame(english)
    assert translated.title != english.title
    assert translated.model == english.model
    for own, other in zip(english.scenes, translated.scenes, strict=True):
        assert own.text != other.text


@pytest.mark.parametrize("path", TWINS, ids=[path.name for path in TWINS])
def test_the_emphasis_of_a_translated_lesson_is_seen(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("Link:", "Expect:")):
            assert unseen_emphasis(line.partition(" | ")[0].removeprefix("Then: ")) == []


@pytest.mark.parametrize("path", sorted(OURS.glob("*.zh.md")), ids=lambda path: path.stem)
def test_no_blank_stands_beside_the_punctuation_of_a_chinese_lesson(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r".{6} +[，。：；！？、）].*|.{6}[，。：；！？、] +[*\w].*", text) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_all_shipped_lessons_in_the_same_order(language: str) -> None:
    shelf = read_shelf(language)
    assert shelf.problems == ()
    assert [lesson.name for lesson in shelf.lessons] == [
        lesson.name for lesson in read_shelf("en").lessons
    ]
    assert {lesson.file.split(".")[1] for lesson in shelf.lessons} == {language}


def test_a_lesson_without_the_language_is_read_in_english_or_in_the_one_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("8-both.en.md", "8-both.zh.md", "9-english.en.md", "9-french.fr.md"):
        (tmp_path / file).write_text(SCENE.format(title=file), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    own = [lesson.file for lesson in read_shelf("zh").lessons][-3:]
    assert own == ["8-both.zh.md", "9-english.en.md", "9-french.fr.md"]
    own = [lesson.file for lesson in read_shelf("en").lessons][-3:]
    assert own == ["8-both.en.md", "9-english.en.md", "9-french.fr.md"]
    assert read_shelf("xx").find("il_elle") == read_shelf("en").find("il_elle")


def test_the_link_to_a_scene_keeps_the_language() -> None:
    lesson = read_shelf("zh").find("il_elle")
    assert lesson
    assert lesson_link("lesson=il_elle&scene=3&lang=zh") == f"{scene_link(lesson, 3)}&lang=zh"


def test_a_lesson_of_a_model_is_listed_where_there_is_that_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SCENE.format(title="Own").replace("A lesson.", "Model: xx-yy\n\nA lesson.")
    (tmp_path / "9-own.en.md").write_text(text, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert read_shelf("en").find("own") is None
    assert read_shelf("en").problems == ()
    known = models.folders() | {"xx-yy": models.folders()["en-fr"]}
    monkeypatch.setattr(models, "folders", lambda: known)
    own = read_shelf("en").find("own")
    assert own is not None
    assert (own.model, own.lead) == ("xx-yy", "A lesson.")
    assert scene_link(own, 1) == "attention?kind=cross&model=xx-yy&lesson=own&scene=1"


def test_a_lesson_of_the_default_model_has_a_link_without_it() -> None:
    ours = read_shelf("en").find("masks")
    assert ours is not None
    assert ours.model == "en-fr"
    assert "model=" not in scene_link(ours, 1)


def test_a_scene_that_needs_a_model_is_there_with_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = read_shelf("en").find("masks")
    assert whole is not None
    assert [scene.title for scene in whole.scenes if scene.needs] == ["Trained to cheat"]
    monkeypatch.setattr(models, "twins", dict)
    rest = read_shelf("en").find("masks")
    assert rest is not None
    assert rest.scenes == tuple(scene for scene in whole.scenes if not scene.needs)


def test_lessons_stand_in_the_order_of_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    text = (OURS / "3-masks.en.md").read_text(encoding="utf-8").replace("# Masks", "# {}")
    for name in ("10-b", "9-a", "free"):
        (tmp_path / f"{name}.en.md").write_text(text.replace("{}", name), encoding="utf-8")
    titles = [lesson.title.partition(":")[0] for lesson in read_shelf("en").lessons]
    assert [title for title in titles if title in ("9-a", "10-b", "free")] == [
        "9-a",
        "10-b",
        "free",
    ]


def test_a_changed_file_is_read_again_and_others_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    path = tmp_path / "own.en.md"
    for title in ("Before", "Afterwards"):
        path.write_text(SCENE.format(title=title), encoding="utf-8")
        own = read_shelf("en").find("own")
        assert own is not None
        assert own.title == title
    monkeypatch.setattr(Path, "read_text", lambda *_args, **_names: pytest.fail("a file is read"))
    assert read_shelf("en").find("own") is own


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_scene_about_a_decoder_head_shows_the_head_that_it_names(language: str) -> None:
    scenes = [scene for lesson in read_shelf(language).lessons for scene in lesson.scenes]
    for scene in scenes:
        named = {
            head
            for measure in scene.measures
            if scene.page == "decoder" and (head := re.search(r"of cross (\d)\.(\d)", measure))
        }
        shown = dict(scene.parameters)
        for head in named:
            assert (shown["attention_layer"], shown["attention_head"]) == head.groups()
    assert any(scene.page == "decoder" for scene in scenes)
