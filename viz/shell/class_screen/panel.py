"""The current question on the teacher's page: how many have answered, and later what they say."""

from html import escape

import streamlit as st

from viz.classroom.place import room
from viz.classroom.question import Question, bare, tally
from viz.classroom.room import ASKED, ROUNDS
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import address
from viz.link.settings import cover
from viz.shell.class_screen import drawn
from viz.shell.class_screen.seat import Seat
from viz.shell.cover import ask


def show_question(seat: Seat) -> None:
    """Draw the question on screen; until its answer is revealed, the page is covered."""
    if not seat.state.number:
        return
    question = room().question(seat.code, seat.state.number)
    in_lesson = "lesson" in address.parameters()  # its card has the question and what follows it
    with st.container(key="class question"):
        if seat.state.phase == ASKED:
            st.markdown(f"#### {question.text}")
            _asked(seat, question)
        else:
            if not in_lesson:  # beside a card, the picture that proves the answer needs the room
                st.markdown(f"#### {question.text}")
            _revealed(seat, question, said=not in_lesson)


def _asked(seat: Seat, question: Question) -> None:
    if question.sort in ("choice", "word"):
        options = "".join(f"<span>{escape(option)}</span>" for option in question.options)
        st.html(f'<div class="class-options">{options}</div>')
    ask(_("The class predicts: until it is revealed, the answer is covered."))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            _("Reveal"),
            key="class reveal",
            type="primary",
            icon=":material/visibility:",
            on_click=_reveal,
            args=(seat,),
        )
        answered, people = room().turnout(seat.code, seat.state.number, seat.state.round)
        said = _("{answered} of {people} have answered").format(answered=answered, people=people)
        st.html(f'<div class="class-count" data-class-answered="">{escape(said)}</div>')
        _done(seat)


def _reveal(seat: Seat) -> None:
    room().reveal(seat.code)
    cover(False)


def _revealed(seat: Seat, question: Question, said: bool) -> None:
    answers = room().answers(seat.code, seat.state.number)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if seat.state.round < ROUNDS:
            st.button(
                _("Talk about it, then ask again"),
                key="class again",
                icon=":material/forum:",
                on_click=room().ask_again,
                args=(seat.code,),
            )
        if question.sort == "text":
            _removal(seat, answers)
        _done(seat)
    drawn.show(question, answers, said)


def _done(seat: Seat) -> None:
    st.button(
        _("Back to the page"),
        key="class done",
        type="tertiary",
        icon=":material/close:",
        on_click=room().close,
        args=(seat.code,),
    )


def _removal(seat: Seat, answers: list[list[str]]) -> None:
    """Offer to remove a text from all screens, and from what can be saved."""
    removable = [text for text, _count in tally([text for given in answers for text in given])]
    if not removable:
        return

    def remove() -> None:
        for given in answers:
            for text in given:
                if bare(text) == bare(st.session_state["class remove"]):
                    room().remove(seat.code, seat.state.number, text)

    st.menu_button(
        _("Remove a text"),
        removable,
        format_func=escaped,
        key="class remove",
        icon=":material/delete:",
        type="tertiary",
        on_click=remove,
    )
