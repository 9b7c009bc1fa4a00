"""What a card offers for download: the lesson on paper, its quiz, and the pupil's own answers."""

from functools import partial

import streamlit as st

from viz.handout.files import QUIZZES, quiz
from viz.handout.sheet import sheet_of
from viz.handout.worksheet import worksheet
from viz.language.text import _, language, using
from viz.link.address import root
from viz.sharing.turns import TURNS
from viz.shell.folded import opened
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.my_answers import my_answers

_PAGE = ".html"


def take_away(lesson: Lesson) -> None:
    """Draw the downloads in a box that starts closed; a file is made when somebody asks for it."""
    box = opened(_("Take this lesson with you"), "take lesson", ":material/download:")
    if box is None:
        return
    with box:
        st.caption(_("On paper, with a key for the teacher on the last page:"))
        _offer(lesson, _("Worksheet to print (HTML)"), _PAGE, "text/html")
        if any(scene.question for scene in lesson.scenes):
            st.caption(_("As a quiz, for a course\u2019s web site:"))
            for ending, form in QUIZZES.items():
                _offer(lesson, _(form.name), ending, form.mime)
            my_answers()


def _offer(lesson: Lesson, label: str, ending: str, mime: str) -> None:
    st.download_button(
        label,
        partial(_made, lesson, ending, language(), root()),
        file_name=f"headlight-{lesson.name}{ending}",
        mime=mime,
        key=f"take {ending}",
        on_click="ignore",
        width="stretch",
    )


def _made(lesson: Lesson, ending: str, code: str, address: str) -> bytes:
    """Measure a lesson and return its file. This is called without a visitor's session."""
    with using(code), TURNS.taken():
        sheet = sheet_of(lesson)
        return worksheet(sheet, address).encode() if ending == _PAGE else quiz(sheet, ending)
