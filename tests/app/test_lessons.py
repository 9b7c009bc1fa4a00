"""Every scene of every lesson on the real pages, with the real model; and broken lessons."""

import json
import logging
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import start
from tests.app.shown import AROUND, components
from viz.compute import models, runs
from viz.shell.lessons import measures
from viz.shell.lessons.form import effect_of
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.shelf import (
    VARIABLE,
    filled_parameters,
    lesson_link,
    read_shelf,
    scene_link,
    subject_of,
)

SHELF = read_shelf("en")
PLACES = [
    (lesson, number) for lesson in SHELF.lessons for number in range(1, len(lesson.scenes) + 1)
]
NAMES = [f"{lesson.name}-{number}" for lesson, number in PLACES]


def opened(link: str) -> AppTest:
    """Open a link as a browser does."""
    parts = urlsplit(link)
    return start(parts.path, **dict(parse_qsl(parts.query, keep_blank_values=True)))


def texts(page: AppTest) -> str:
    return "\n".join(each.value for each in page.markdown)


def warnings(page: AppTest) -> list[str]:
    """List what the page warns of, but for the goals that the card of the model tells."""
    return [each.value for each in page.warning if not each.value.startswith("No head reaches")]


def unescaped(text: str) -> str:
    """Read Markdown as it is shown."""
    return text.replace("\\", "")


COVERED = re.compile(r"-(tells [a-z]+|bar target|before after|lesson)$")
INPUTS = ("head_board", "reconnection")
"""Components that show what is changed in the model, and not what it does then."""


def in_view(block: Any) -> Iterator[Any]:  # noqa: ANN401
    """Return what stands outside the lesson's card and outside all that a question covers."""
    for each in block.children.values():
        if not hasattr(each, "children"):
            yield each
        elif not COVERED.search(each.proto.id if hasattr(each.proto, "id") else ""):
            yield from in_view(each)


def told(page: AppTest, translations: set[str]) -> list[str]:
    """List what a page shows of the model while a question is open: figures and translations."""
    seen = list(in_view(page.main))
    own = [one for one in seen if one.type == "bidi_component"]
    names = [one.proto.component_name for one in own]
    bodies = [unescaped(unescape(str(getattr(one.proto, "body", "")))) for one in seen]
    return [
        *(one.type for one in seen if one.type == "plotly_chart"),
        *(name for name in names if name not in (*AROUND, *INPUTS)),
        *(body for body in bodies if any(text in body for text in translations if text)),
    ]


def asks(page: AppTest) -> bool:
    """Tell whether the card asks, which covers what tells the answer."""
    return any("until then" in each.value for each in page.caption)


def il_elle() -> Lesson:
    lesson = SHELF.find("il_elle")
    assert lesson
    return lesson


def test_the_shipped_lessons_are_whole_and_in_order() -> None:
    assert SHELF.problems == ()
    assert [lesson.name for lesson in SHELF.lessons] == [
        "start", "il_elle", "eight_scenes", "masks", "silence", "order", "claims", "blocks",
        *(["one_word"] if "zh-en" in models.folders() else []), "trace", "thousand", "more_claims",
        *(["posts"] if "zh-en" in models.folders() else []),
    ]  # fmt: skip
    assert len(next(lesson for lesson in SHELF.lessons if lesson.name == "claims").scenes) == 8


@pytest.mark.parametrize(("lesson", "number"), PLACES, ids=NAMES)
def test_a_scene_opens_its_state_says_what_is_measured_and_its_answer_is_one(
    lesson: Lesson, number: int
) -> None:
    scene = lesson.scenes[number - 1]
    page = opened(scene_link(lesson, number))
    assert not page.exception
    assert warnings(page) == []
    assert not page.toast
    shown = texts(page)
    assert f"#### {scene.title}" in shown
    assert "{{" not in shown
    with models.using(lesson.model or models.default()):
        wanted = dict(filled_parameters(scene))
    if sentence := wanted.get("sentence"):
        assert page.session_state["sentence"] == sentence
    if question := scene.question:
        with models.using(lesson.model or models.default()):
            subject = subject_of(scene)
            held = [
                place
                for place, choice in enumerate(question.choices)
                if choice.condition and measures.holds(choice.condition, subject)
            ]
        right = held[0] if held else len(question.choices) - 1
        assert held or question.choices[-1].condition is None, "no choice is right"
        with models.using(lesson.model or models.default()):
            found = effect_of(subject)
            both = found.before, found.after
        assert asks(page)
        assert told(page, {run.translation.text for run in both}) == []
        wrong = (right + 1) % len(question.choices)
        page.button(key=f"lesson choice {number} {wrong}").click().run()
        assert not page.exception
        assert warnings(page) == []
        icons = [
            page.button(key=f"lesson choice {number} {place}").icon
            for place in range(len(question.choices))
        ]
        assert not asks(page)
        assert [place for place, icon in enumerate(icons) if "check" in (icon or "")] == [right]
        assert [place for place, icon in enumerate(icons) if "cancel" in (icon or "")] == [wrong]
        assert "{{" not in texts(page)


def test_the_story_lists_them_and_leads_to_the_course() -> None:
    page = start("story")
    sent = components(page)[0].proto.json
    for lesson in SHELF.lessons:
        assert lesson.title in sent
    assert "lesson=start" in sent


def test_who_reads_chinese_gets_the_list_and_the_card_in_chinese() -> None:
    lesson = read_shelf("zh").lessons[0]
    sent = components(start("story", lang="zh"))[0].proto.json
    assert json.dumps(lesson.title).strip('"') in sent
    page = opened(f"{scene_link(lesson, 1)}&lang=zh")
    assert not page.exception
    assert warnings(page) == []
    assert f"#### {lesson.scenes[0].title}" in texts(page)


def test_a_short_link_leads_to_the_scene() -> None:
    lesson = il_elle()
    assert lesson_link("lesson=il_elle&scene=3") == scene_link(lesson, 3)
    assert lesson_link("lesson=il_elle") == scene_link(lesson, 1)
    assert lesson_link("lesson=il_elle&scene=99") == scene_link(lesson, len(lesson.scenes))
    assert lesson_link("lesson=il_elle&scene=x") == scene_link(lesson, 1)
    assert lesson_link("lesson=nobody") is None
    assert lesson_link("sentence=Hi") is None


def test_a_link_without_its_state_gets_it_from_the_scene() -> None:
    page = start("lab_heads", lesson="il_elle", scene="9")
    assert not page.exception
    swing = measures.written("deciding head off", subject_of(il_elle().scenes[8]))
    assert page.query_params["edits"] == swing


def test_an_unknown_lesson_is_named_on_the_page() -> None:
    page = start("attention", lesson="no[b]ody")
    assert not page.exception
    assert "no\\[b\\]ody" in page.warning[0].value


BROKEN = "# Broken\n\nA lesson.\n\n## One\n\nLink: /attention\n\nIt has {{height}}.\n"
FALSE = (
    "# Half\n\nA lesson.\n\n## One\n\nLink: /attention?sentence=Hello.\n\n"
    "It says {{probability of dragon}}.\n\n"
    "## Two\n\nLink: /attention?sentence=Hello.\n\nHi.\nExpect: translation has dragon\n"
)


def test_a_broken_lesson_is_reported_with_file_and_line_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "90-mine.en.md").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "latin.en.md").write_bytes("# É".encode("latin-1"))
    (tmp_path / "half.en.md").write_text(FALSE, encoding="utf-8")
    (tmp_path / "gone.en.md").symlink_to(tmp_path / "nowhere")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with caplog.at_level(logging.WARNING):
        page = start("story")
    assert not page.exception
    reported = "\n".join(each.value for each in page.warning)
    assert "90-mine.en.md:9: no measure is called 'height'" in reported
    assert "latin.en.md:1: this is not UTF-8 text" in reported
    assert "gone.en.md:1: No such file" in reported
    assert "90-mine.en.md:9: no measure is called 'height'" in caplog.text
    assert [lesson.name for lesson in read_shelf("en").lessons][-1] == "half"

    for name, place in (("mine", "90-mine.en.md:9"), ("latin", "latin.en.md:1")):
        page = start("attention", lesson=name)
        assert not page.exception
        assert f"cannot be shown: {place}" in unescaped(page.warning[0].value)

    page = start("attention", lesson="half", sentence="Hello.")
    assert not page.exception
    assert "half.en.md:" in page.warning[0].value
    assert "no word 'dragon'" in page.warning[0].value

    page = start("attention", lesson="half", scene="2", sentence="Hello.")
    assert "With this model it is different" in page.warning[0].value
    assert runs.translator().translate("Hello.").text in unescaped(page.warning[0].value)


UNMEASURED = (
    "# Mine\n\nA lesson.\n\n## One\n\nLink: /decoder?sentence=Hello.&step={{row of dragon}}\n\n"
    "It says.\n\n## Two\n\nLink: /decoder?sentence=Hello.&step={{pieces}}\n\n"
    "There are {{pieces}}.\n"
)


@pytest.fixture
def _mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.en.md").write_text(UNMEASURED, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))


@pytest.mark.usefixtures("_mine")
def test_what_cannot_be_measured_is_said_on_the_card_and_nowhere_else() -> None:
    assert lesson_link("lesson=mine") == "decoder?sentence=Hello.&lesson=mine&scene=1"
    first = start("story")
    assert not first.exception
    assert warnings(first) == []
    assert "Mine" in components(first)[0].proto.json
    page = opened("decoder?sentence=Hello.&lesson=mine&scene=1")
    assert not page.exception
    (problem,) = warnings(page)
    assert problem.startswith("mine.en.md:7: ")
    assert "no word 'dragon'" in problem


@pytest.mark.usefixtures("_mine")
def test_a_teachers_own_numbers_are_measured_when_the_scene_is_opened() -> None:
    link = lesson_link("lesson=mine&scene=2")
    assert link == "decoder?sentence=Hello.&lesson=mine&scene=2"
    page = opened(link)
    assert not page.exception
    pieces = str(len(runs.translator().source("Hello.").ids) - 1)
    assert page.query_params["step"] == pieces
    assert f"There are {pieces}." in texts(page)
