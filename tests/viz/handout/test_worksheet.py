"""Worksheets: their scenes, their key, and the measured sheet of a lesson."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.elsewhere import needs_posix
from viz.handout.chromium import VARIABLE, pdf
from viz.handout.markup import block, inline
from viz.handout.sheet import Sheet, sheet_of
from viz.handout.worksheet import worksheet
from viz.language.text import languages, using
from viz.shell.lessons import measures
from viz.shell.lessons.format import Known, parse
from viz.shell.lessons.shelf import read_shelf, subject_of


class Sections(HTMLParser):
    """The text of each section of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        if tag == "section":
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data


@pytest.mark.parametrize("code", list(languages()))
def test_the_key_stands_alone_on_the_last_page(sheet: Sheet, code: str) -> None:
    with using(code):
        page = worksheet(sheet)
    *scenes, key = Sections(page).texts
    assert len(scenes) == len(sheet.scenes)
    assert page.count("break-before: page") == 1
    assert page.index('class="key"') > page.rindex('class="scene"')
    assert "B: no = never" in key
    assert "en-fr (12345678)" in key
    assert not any("It is, in" in text for text in scenes)
    assert "It is, in" in key


def test_a_picture_is_drawn_beside_its_scene_and_a_link_named_only_with_an_address(
    sheet: Sheet,
) -> None:
    plain, linked = worksheet(sheet), worksheet(sheet, "https://where.example/app/", "Letter")
    assert plain.count("<svg ") == 1
    assert "scene=" not in plain
    assert "{ size:" not in plain
    assert "https://where.example/app/?lesson=my lesson&amp;scene=5" in linked
    assert "@page { size: Letter; }" in linked


def test_a_scene_is_numbered_once(sheet: Sheet) -> None:
    headings = [scene.heading for scene in sheet.scenes]
    numbers = [[int(number) for number in re.findall(r"\d+", heading)] for heading in headings]
    assert numbers == [[scene.number] for scene in sheet.scenes]
    assert all(f"<h2>{heading}</h2>" in worksheet(sheet) for heading in headings)


def test_text_of_a_lesson_cannot_bring_markup(sheet: Sheet) -> None:
    assert "&lt;b&gt;here&lt;/b&gt;" in worksheet(sheet)
    assert inline("<script>x</script>") == "&lt;script&gt;x&lt;/script&gt;"


def test_formulas_become_mathml_and_markdown_leaves_them_alone() -> None:
    html = block(r"*Each* $W_O \in \mathbb{R}^{h d_v \times d_{model}}$ and $d_k * d_v$ costs \$2.")
    assert html.count("<math>") == 2
    assert html.startswith("<p><em>Each</em>")
    assert html.endswith("costs $2.</p>")


def test_a_sheet_says_what_is_measured_and_marks_what_is_right() -> None:
    lesson = read_shelf("en").find("silence")
    assert lesson
    sheet = sheet_of(lesson)
    assert [scene.title for scene in sheet.scenes] == [scene.title for scene in lesson.scenes]
    assert "{{" not in worksheet(sheet)
    for own, scene in zip(sheet.scenes, lesson.scenes, strict=True):
        if scene.question:
            assert own.asked
            assert own.asked.right == measures.right(scene.question.choices, subject_of(scene))
            assert own.picture


def test_a_scene_that_asks_is_drawn_without_its_answer() -> None:
    """What is written and where it looks is the answer: only the question's side is drawn."""
    lesson = read_shelf("en").find("il_elle")
    assert lesson
    sheet = sheet_of(lesson)
    for own, scene in zip(sheet.scenes, lesson.scenes, strict=True):
        if scene.question:
            written = measures.written("translation", subject_of(scene))
            assert own.picture
            assert written not in str(own.picture)


def test_a_scene_that_cannot_be_measured_is_told_and_left_out() -> None:
    scene = "## {title}\n\nLink: /tokens?sentence=Yes.\n\n{{{{place of {word}}}}}\n"
    text = "# T\n\nLead.\n\n" + "".join(
        scene.format(title=title, word=title) for title in ("Yes", "No")
    )
    known = Known(frozenset({"tokens"}), measures.is_measure)
    faults: list[str] = []
    sheet = sheet_of(parse(text, "t.en.md", known), faults.append)
    assert [one.title for one in sheet.scenes] == ["Yes"]
    assert len(faults) == 1
    assert faults[0].startswith("t.en.md:")
    with pytest.raises(ValueError, match="no scene of this lesson can be measured"):
        sheet_of(parse(text.replace("## Yes", "## No").replace("of Yes", "of No"), "t.md", known))


def test_without_a_chromium_a_pdf_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("viz.handout.chromium.PLACES", ())
    with pytest.raises(ValueError, match=r"write an \.html file and print it in any browser"):
        pdf("<p>x")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(ValueError, match="could not print the page"):
        pdf("<p>x")


@needs_posix
def test_a_chromium_that_prints_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "idle").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "idle").chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "idle"))
    with pytest.raises(ValueError, match="printed nothing"):
        pdf("<p>x")


ON_SCREEN = (
    r"(?i)\bpress\b|point at|scroll|\bdrag|slider|picture below|\bbelow\b(?! zero)|further down|"
    r"boards|⚙|▶|reading aids|each cell|each square|on a card|on the card|the card says|dashed|"
    r"点开|滑块|拖|下面(?!几幕)|更下面|图上|指针|阅读辅助|每一格|每个格子|每个方块|卡片上(?!的数字)|虚线|打开"
)


@pytest.mark.parametrize("code", list(languages()))
def test_paper_speaks_of_nothing_that_only_a_screen_has(code: str) -> None:
    said = {
        (lesson.name, number): scene.paper or scene.text
        for lesson in read_shelf(code).lessons
        for number, scene in enumerate(lesson.scenes, 1)
    }
    assert [place for place, text in said.items() if re.search(ON_SCREEN, text)] == []


def test_a_sheet_says_what_a_scene_says_on_paper_and_draws_its_head() -> None:
    lesson = read_shelf("en").find("start")
    assert lesson
    sheet = sheet_of(lesson)
    for own, scene in zip(sheet.scenes, lesson.scenes, strict=True):
        begun = (scene.paper or scene.text).split("{{")[0].split("$")[0]
        assert own.text.startswith(begun)
        if scene.page in ("head", "decoder"):
            assert own.picture
            assert own.picture.title != scene.title


def test_a_page_ends_between_a_question_and_a_scene_that_may_answer_it(sheet: Sheet) -> None:
    page = worksheet(sheet)
    assert page.count('class="scene asking"') == sum(bool(scene.asked) for scene in sheet.scenes)
    assert page.count("break-before: page") == 1
    assert re.search(r"\.asking \+ \.scene:not\(\.asking\)[^{]*\{ break-before: page", page)
