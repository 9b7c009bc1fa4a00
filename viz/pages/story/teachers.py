"""The box for teachers at the end of the first page: `docs/teaching.md`, with links to lessons."""

import re
from pathlib import Path

from viz.language.text import ENGLISH, _, language
from viz.link.settings import along
from viz.shell.folded import opened
from viz.shell.lessons.format import name_of
from viz.shell.lessons.shelf import Shelf, scene_link

DOCS = Path(__file__).parents[3] / "docs"
_TITLE = re.compile(r"\A# .*\n")
_LESSON = re.compile(r"\[([^]]+)\]\(\.\./viz/lessons/([^)]+)\)")


def for_teachers(shelf: Shelf) -> None:
    """Draw the closed box; draw nothing if the text is missing."""
    text = teaching(language(), shelf)
    box = opened(_("For teachers"), "for teachers", ":material/school:") if text else None
    if box:
        box.markdown(text)


def teaching(code: str, shelf: Shelf) -> str:
    """Return the text in a language, else in English; lessons lead to their first scenes.

    A lesson that is not on the shelf, because its model is missing, keeps only its title.
    """
    own = DOCS / ("teaching.md" if code == ENGLISH else f"teaching.{code}.md")
    path = own if own.exists() else DOCS / "teaching.md"
    if not path.exists():
        return ""

    def linked(match: re.Match[str]) -> str:
        lesson = shelf.find(name_of(match[2]))
        return f"[{match[1]}]({scene_link(lesson, 1, along())})" if lesson else match[1]

    return _LESSON.sub(linked, _TITLE.sub("", path.read_text(encoding="utf-8")))
