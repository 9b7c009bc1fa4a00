"""The question of a scene, which a class is asked as soon as its teacher comes to the scene."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from viz.classroom.place import room
from viz.classroom.question import Question
from viz.classroom.room import ASKED
from viz.classroom.store import Full
from viz.language.text import _
from viz.shell.class_screen.seat import Seat, current


def of_scene(place: str, make: Callable[[], Question]) -> Literal["asked", "told"] | None:
    """Return the state of a scene's question in a class; None if everybody answers it alone.

    The question is asked when the teacher comes to the scene for the first time. Later, the teacher
    can ask it again with a button.
    """
    seat = current()
    if seat is None or seat.state.over:
        return None
    numbers = [
        number
        for number, question in enumerate(room().questions(seat.code), 1)
        if question.place == place
    ]
    if not numbers and not (seat.leads and _ask(seat, make)):
        return None
    now = room().state(seat.code)
    if now.phase == ASKED and (not numbers or now.number in numbers):
        return "asked"

    def again() -> None:
        _ask(seat, make)

    if seat.leads and not now.number:
        st.button(
            _("Ask the class once more"),
            key="class scene",
            icon=":material/front_hand:",
            on_click=again,
        )
    return "told"


def _ask(seat: Seat, make: Callable[[], Question]) -> bool:
    try:
        room().ask(seat.code, make())
    except Full:
        return False
    return True
