"""The question as those see it who have joined: alone on the whole screen."""

from pathlib import Path

import streamlit as st

from model.sites.sites import KINDS, Kind
from viz.classroom.place import room
from viz.classroom.question import Question
from viz.classroom.room import ASKED, LONGEST
from viz.figures.labels import kind_names
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _
from viz.language.wording import escaped
from viz.shell import state
from viz.shell.class_screen import drawn
from viz.shell.class_screen.seat import Seat, leave
from viz.shell.class_screen.tap_board import tap_board

_TYPED = "class answer"
_STYLE = (Path(__file__).parent / "phone.css").read_text(encoding="utf-8")


def style() -> None:
    """Hide everything on the page except the class."""
    on_primary = f":root {{--bar-on-primary: {state.current_theme().background}}}"
    st.html(f"<style>{on_primary}\n{_STYLE}</style>")


def show_phone(seat: Seat) -> None:
    """Draw the question, or its answers once they are revealed, or say that the class is over."""
    with st.container(key="class phone"):
        if seat.state.over:
            st.markdown(f"### {_('The class is over.')}")
            st.button(_("Look around in Headlight"), key="leave class", on_click=leave)
            return
        question = room().question(seat.code, seat.state.number)
        st.markdown(f"### {question.text}")
        given = room().answer_of(seat.code, seat.person, seat.state.number, seat.state.round)
        if given is not None:
            answer = given if question.sort == "text" else question.options[int(given)]
            with st.container(key="class given"):
                st.markdown(_("Your answer: {answer}").format(answer=f"**{escaped(answer)}**"))
        if seat.state.phase != ASKED:
            drawn.show(question, room().answers(seat.code, seat.state.number))
        elif given is None:
            _ask(seat, question)
        else:
            st.markdown(_("Look to the front: it is revealed there."))


def _ask(seat: Seat, question: Question) -> None:
    match question.sort:
        case "choice":
            for at, option in enumerate(question.options):
                _button(seat, option, at, stretch=True)
        case "word":
            st.caption(_("The key: who is looked at"))
            with st.container(horizontal=True, gap="small", key="class words"):
                for at, option in enumerate(question.options):
                    _button(seat, option, at)
        case "head":
            _board(seat, question)
        case "text":
            with st.form("class text", border=False):
                st.text_input(
                    _("Your answer"), key=_TYPED, max_chars=LONGEST, label_visibility="collapsed"
                )
                st.form_submit_button(
                    _("Send"), type="primary", width="stretch", on_click=_take_text, args=(seat,)
                )


def _button(seat: Seat, option: str, at: int, stretch: bool = False) -> None:
    st.button(
        escaped(option) or "·",
        key=f"class answer {at}",
        on_click=_take,
        args=(seat, str(at)),
        width="stretch" if stretch else "content",
    )


def _board(seat: Seat, question: Question) -> None:
    """Draw the board of heads of a kind of attention; the tapped cell is the answer."""
    kind: Kind = next(kind for kind in KINDS if str(kind) == question.kind)
    st.caption(
        _("{kind}: rows are layers, columns heads. Tap one.").format(kind=kind_names()[kind])
    )
    tap_board(question.options, question.heads, KIND_COLOURS[kind], lambda at: _take(seat, str(at)))


def _take_text(seat: Seat) -> None:
    _take(seat, str(st.session_state.get(_TYPED, "")))


def _take(seat: Seat, answer: str) -> None:
    if not room().answer(seat.code, seat.person, seat.state.screen, answer):
        st.toast(_("This answer was not taken: it is empty, or too late."), icon=":material/block:")
