"""Quizzes, read back by the parsers of other projects."""

import io
import re
import zipfile
from base64 import b64decode
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
import qti_convert
from moodle_xml_parser import parser as moodle
from pygiftparser import parser as gift_parser

from tests.viz.handout.qti_form import faults
from viz.handout.files import QUIZZES, quiz
from viz.handout.qti import CONTENT, QTI
from viz.handout.sheet import Sheet
from viz.notebook.paper.picture import svg

ITEM = f"{{{QTI}}}"


def bare(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def unmarked(text: str) -> str:
    """Read a text of GIFT without its backslashes, which the parser leaves."""
    return bare(re.sub(r"\\([~=#{}:])", r"\1", text))


def test_moodle_gets_the_questions_with_a_right_answer_and_their_pictures(sheet: Sheet) -> None:
    text = quiz(sheet, ".xml").decode()
    first, last = moodle.parse_string(text)["multichoice"]
    assert [bare(option.answer) for option in first.options] == ["yes: {x}", "no = never", "~ #3"]
    assert [option.score_fraction for option in first.options] == [0, 100, 0]
    assert [option.score_fraction for option in last.options] == [100, 0]
    questions = ElementTree.fromstring(text).findall("question[@type='multichoice']")
    assert [one.findtext("name/text") for one in questions] == [
        "A / B: 1. Softmax by hand",
        "A / B: 5. Nothing after",
    ]
    file = questions[0].find("questiontext/file")
    assert file is not None
    picture = sheet.scenes[0].picture
    assert picture
    assert b64decode(file.text or "").decode() == svg(picture)
    shown = questions[0].findtext("questiontext/text") or ""
    assert f"@@PLUGINFILE@@/{file.get('name')}" in shown
    assert "<li><strong>one</strong> ]]&gt;</li>" in shown
    assert "costs $5" in shown
    assert "<msqrt>" in shown
    assert "$" not in bare(shown).replace("$5", "")


def test_gift_gets_the_same_questions(sheet: Sheet, capsys: pytest.CaptureFixture[str]) -> None:
    parsed = gift_parser.parse(quiz(sheet, ".gift").decode())
    assert parsed
    first, last = parsed.questions
    capsys.readouterr()  # the parser tells of its own grammar
    assert first.name == "A / B: 1. Softmax by hand"
    assert bare(first.text).endswith("Is WQ one?")
    assert "{a} = b ~ c # d." in unmarked(first.text)
    options = [(unmarked(option.text), option.percentage) for option in first.answer.options]
    assert options == [("yes: {x}", 0), ("no = never", 1), ("~ #3", 0)]
    assert [option.percentage for option in last.answer.options] == [1, 0]


def test_a_qti_package_is_read_and_its_manifest_names_every_file(
    sheet: Sheet, tmp_path: Path
) -> None:
    path = tmp_path / "quiz.zip"
    path.write_bytes(quiz(sheet, ".zip"))
    read = qti_convert.read_package(path)
    manifest = ElementTree.fromstring(zipfile.ZipFile(path).read("imsmanifest.xml"))
    resources = manifest.findall(f".//{{{CONTENT}}}resource")
    named = {file.get("href") for one in resources for file in one}
    assert {*read} == {"imsmanifest.xml", *(name for name in named if name)}
    assert all(result for result in qti_convert.upgrade_package_files(read).files)


def test_an_item_of_qti_scores_its_right_choice_and_says_what_follows(sheet: Sheet) -> None:
    archive = zipfile.ZipFile(io.BytesIO(quiz(sheet, ".zip")))
    first, last = (
        ElementTree.fromstring(archive.read(name))
        for name in sorted(archive.namelist())
        if name.startswith("items/")
    )
    assert first.findtext(f"{ITEM}responseDeclaration/{ITEM}correctResponse/{ITEM}value") == "B"
    choices = first.findall(f".//{ITEM}simpleChoice")
    assert [one.get("identifier") for one in choices] == ["A", "B", "C"]
    assert "".join(choices[0].itertext()) == "yes: {x}"
    image = first.find(f".//{ITEM}img")
    assert image is not None
    assert (image.get("src") or "").replace("../", "") in archive.namelist()
    # The order that the schema of QTI 2.1 asks for.
    assert [part.tag.removeprefix(ITEM) for part in first] == [
        "responseDeclaration",
        *("outcomeDeclaration", "outcomeDeclaration"),
        *("itemBody", "responseProcessing", "modalFeedback"),
    ]
    assert last.find(f"{ITEM}modalFeedback") is None


def test_every_file_of_a_package_keeps_to_the_form_that_the_schemas_ask_for(sheet: Sheet) -> None:
    archive = zipfile.ZipFile(io.BytesIO(quiz(sheet, ".zip")))
    names = [name for name in archive.namelist() if name.endswith(".xml")]
    roots = {name: ElementTree.fromstring(archive.read(name)) for name in names}
    assert {root.tag.split("}")[1] for root in roots.values()} == {
        "manifest",
        "assessmentTest",
        "assessmentItem",
    }
    assert {name: faults(root) for name, root in roots.items()} == {name: [] for name in names}


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        (' title="', ' name="', "assessmentItem has no title"),
        ('cardinality="single"', 'cardinality="one"', "cardinality='one'"),
        ("<itemBody>", "<itemBody>text", "itemBody holds the text 'text'"),
        ("<itemBody>", "<itemBody><em>x</em>", "itemBody holds em "),
        ("<itemBody>", "<responseProcessing/><itemBody>", "assessmentItem holds "),
        ("<prompt>", "<prompt><p>x</p>", "prompt holds p "),
        ('<simpleChoice identifier="A">', "<simpleChoice>", "simpleChoice has no identifier"),
        ('identifier="A"', 'identifier="1 a"', "identifier='1 a'"),
        ("<itemBody>", "<itemBody><table/>", "unknown element"),
        (' alt="', ' data="', "img has no alt"),
    ],
)
def test_an_item_that_does_not_keep_to_the_form_is_noticed(
    sheet: Sheet, right: str, wrong: str, fault: str
) -> None:
    archive = zipfile.ZipFile(io.BytesIO(quiz(sheet, ".zip")))
    item = min(name for name in archive.namelist() if name.startswith("items/"))
    text = archive.read(item).decode()
    assert right in text
    noticed = faults(ElementTree.fromstring(text.replace(right, wrong, 1)))
    assert any(fault in one for one in noticed), noticed


def test_the_same_questions_make_the_same_package(sheet: Sheet) -> None:
    assert quiz(sheet, ".zip") == quiz(sheet, ".zip")


def test_another_ending_and_a_lesson_without_questions_are_refused(sheet: Sheet) -> None:
    with pytest.raises(ValueError, match=r"a quiz ends in \.xml, \.gift, \.zip, not '\.docx'"):
        quiz(sheet, ".docx")
    empty = Sheet("x", "X", "", sheet.scenes[1:3], "m")
    for ending in QUIZZES:
        with pytest.raises(ValueError, match="asks nothing that has a right answer"):
            quiz(empty, ending)
