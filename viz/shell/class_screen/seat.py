"""The seat of a visitor in a class: its teacher's, or that of somebody who has joined."""

import logging
from dataclasses import dataclass

import streamlit as st

from viz.classroom.place import room
from viz.classroom.room import NoSuchClass, Shut, State, TooManyTries, cleaned, place_of
from viz.classroom.store import Full
from viz.classroom.visitors import COOKIE, address_of, new_person, person_of
from viz.course.entry import PageEntry
from viz.course.pages import FIRST
from viz.language.text import _
from viz.link import address
from viz.link.settings import choose_class
from viz.link.table import CLASSROOM

_LOG = logging.getLogger(__name__)

REFUSALS = (NoSuchClass, TooManyTries, Shut, Full, OSError)


@dataclass(frozen=True)
class Seat:
    """A visitor's seat in a class; `person` is the random text of a visitor who does not lead."""

    code: str
    state: State
    leads: bool
    person: str = ""


def asked_for() -> bool:
    """Tell whether the link names a class, even one that does not exist."""
    return bool(st.session_state.get(CLASSROOM[0]))


def seat() -> Seat | None:
    """Take a seat in the class that the link names; None without a class. Raises `REFUSALS`."""
    typed, key = (str(st.session_state.get(name, "")) for name in CLASSROOM)
    if not typed:
        return None
    code = cleaned(typed)
    if key and room().leads(code, key):
        return Seat(code, room().state(code), leads=True)
    me = _person()
    return Seat(code, room().join(code, me, _address()), leads=False, person=me)


def current() -> Seat | None:
    """Return the visitor's seat; None without a class, or if the class refuses the visitor."""
    try:
        return seat()
    except REFUSALS:
        return None


def refusal(error: Exception) -> str:
    """Return a sentence that says why a visitor is not let in."""
    match error:
        case TooManyTries():
            return _("Too many wrong codes came from here. Try again in a minute.")
        case Shut():
            return _("The entrance of this class is closed.")
        case Full():
            return _("This class is full.")
        case OSError():
            return no_place(error)
    return _("There is no class with this code. Look at the board, and type it again.")


def no_place(error: OSError) -> str:
    """Return a sentence that says there are no classes here, and write the cause to the log."""
    _LOG.warning("no place for classes: %s", error)
    return _("This server has no place to keep a class; its log says why.")


def begin(link: str) -> None:
    """Begin a class at a link, and lead it; call it in a callback. Raises Full or OSError."""
    choose_class(*room().begin(link))


def here(entry: PageEntry) -> str:
    """Return the link of the page on screen, in the form in which a class follows it."""
    page = "" if entry.link == FIRST else entry.link
    parameters = address.parameters().items()
    return "./" + (address.link(page, parameters) if parameters else f"{page}?")


def place(entry: PageEntry) -> str:
    """Return the place that a question asked on this page belongs to."""
    return place_of(here(entry))


def leave() -> None:
    """Leave the class; call it in a callback."""
    choose_class("")


def _person() -> str:
    """Return the random text of this browser's person: the cookie's, or one made for this visit."""
    if address.PERSON not in st.session_state:
        known = person_of(str(st.context.cookies.get(COOKIE, "")))
        st.session_state[address.PERSON] = known or new_person()
    return str(st.session_state[address.PERSON])


def _address() -> str:
    return address_of(
        str(st.context.ip_address or "") or None, str(st.context.headers.get("X-Forwarded-For", ""))
    )
