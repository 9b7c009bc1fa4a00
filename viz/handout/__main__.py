"""Write a lesson as a worksheet to print, or as a quiz for the web site of a course.

A worksheet is a page (.html) or a PDF (.pdf, if a Chromium is found), with a key for the teacher on
its last page. A quiz is Moodle XML (.xml), GIFT (.gift) or a QTI 2.1 package (.zip). Every number
and every right answer is measured on the model. Without a lesson, all lessons are listed.
"""

import argparse
import logging
import os
import sys
from pathlib import Path

from model.command import called, command
from viz.compute import runs
from viz.handout.address import web_address
from viz.handout.chromium import pdf
from viz.handout.files import quiz
from viz.handout.sheet import Sheet, sheet_of
from viz.handout.worksheet import worksheet
from viz.language.text import ENGLISH, languages, using
from viz.server.arguments import name_models
from viz.shell.lessons.format import Lesson, name_of
from viz.shell.lessons.shelf import VARIABLE, read_shelf


@command
def main() -> None:
    """Write the files of a lesson that are asked for, or list all lessons."""
    options = _parser().parse_args()
    if options.checkpoint is not None:
        name_models(["--checkpoint", options.checkpoint])
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it serves nothing
    if options.lesson is None:
        for lesson in read_shelf(options.language).lessons:
            print(f"{lesson.name:<14} {len(lesson.scenes):>3}  {lesson.title}")
        return
    lesson = _lesson(options.lesson, options.language)
    if options.worksheet is None and options.quiz is None:
        raise ValueError("name a file to write: --worksheet FILE.html, or --quiz FILE.xml")
    runs.warm_up()
    with using(options.language):
        sheet = sheet_of(lesson, lambda fault: print(fault, file=sys.stderr))
        _tell_left_out(sheet)
        if options.worksheet is not None:
            _write(options.worksheet, _printed(sheet, options))
        if options.quiz is not None:
            _write(options.quiz, quiz(sheet, options.quiz.suffix.lower()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(called("viz.handout"), description=__doc__)
    parser.add_argument(
        "lesson", nargs="?", metavar="LESSON", help="its name in links, or a file of your own (.md)"
    )
    parser.add_argument("--worksheet", type=Path, metavar="FILE", help="an .html or .pdf file")
    parser.add_argument("--quiz", type=Path, metavar="FILE", help="an .xml, .gift or .zip file")
    parser.add_argument("--language", default=ENGLISH, choices=languages())
    parser.add_argument("--paper", default="A4", choices=("A4", "Letter"), help="of a PDF")
    parser.add_argument(
        "--address",
        type=web_address,
        help="where your students find the program running: each scene gets its link",
    )
    parser.add_argument("--checkpoint", metavar="NAME_OR_PATH", help="the model; en-fr by default")
    return parser


def _lesson(asked: str, language: str) -> Lesson:
    """Find a lesson by its name, or by its file; ValueError says why there is none."""
    path = Path(asked)
    name = asked
    if path.suffix == ".md":
        if not path.is_file():
            raise ValueError(f"{asked}: there is no such file")
        os.environ[VARIABLE] = str(path.parent.resolve())
        name = name_of(path.name)
    shelf = read_shelf(language)
    lesson = shelf.find(name)
    if lesson is None:
        names = ", ".join(known.name for known in shelf.lessons)
        raise ValueError(
            shelf.problem(name) or f"there is no lesson called {name!r}; there are: {names}"
        )
    return lesson


def _tell_left_out(sheet: Sheet) -> None:
    for scene in sheet.scenes:
        if scene.asked and scene.asked.right is None:
            print(f"scene {scene.number}: with this model no choice is right", file=sys.stderr)


def _printed(sheet: Sheet, options: argparse.Namespace) -> bytes:
    ending = options.worksheet.suffix.lower()
    if ending == ".pdf":
        return pdf(worksheet(sheet, options.address or "", options.paper))
    if ending in (".html", ".htm"):
        return worksheet(sheet, options.address or "").encode()
    raise ValueError(f"a worksheet ends in .html or .pdf, not {ending or 'nothing'!r}")


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ValueError(f"{path}: it could not be written: {error.strerror}") from None
    print(path)


if __name__ == "__main__":
    sys.exit(main())
