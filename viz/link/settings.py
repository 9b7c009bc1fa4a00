"""Settings of a link that are read before anything is drawn: language, model, class."""

import streamlit as st

from viz.compute import models
from viz.figures.letters import STAGE
from viz.language.text import CHOSEN, ENGLISH, languages
from viz.link import address
from viz.link.table import CLASSROOM, COVER, ON

_REFUSED = "refused model"


def open_language() -> None:
    """Read the language where the link counts, before any text, and write it into the link.

    The link omits English where the browser asks for English.
    """

    def read() -> str:
        code = address.parameters().get(CHOSEN, "")
        before = st.session_state.get(CHOSEN) or of_browser()
        return code if code in languages() else before

    language = address.held(CHOSEN, read)
    address.put({CHOSEN: "" if language == of_browser() == ENGLISH else language})


def of_browser() -> str:
    """Return the language that the browser asks for, or English if it is not available."""
    code = str(st.context.locale or "").replace("_", "-").partition("-")[0].lower()
    return code if code in languages() else ENGLISH


def open_model() -> None:
    """Read the model where the link counts, before it is needed, and write it into the link.

    No widget is bound to the link: the browser would write the shown value, and a closed menu shows
    nothing. A model in the link that does not exist is kept for `refused_model`.
    """
    names = list(models.folders())
    if st.session_state.get(models.CHOSEN) not in names:
        st.session_state.pop(models.CHOSEN, None)  # its folder is gone

    def read() -> str:
        name = address.parameters().get(models.CHOSEN, names[0])
        st.session_state[_REFUSED] = "" if name in names else name
        return name if name in names else names[0]

    model = address.held(models.CHOSEN, read)
    address.put({models.CHOSEN: "" if model == names[0] else model})


def refused_model() -> str:
    """Return the missing model that the link asked for; "" if there is none."""
    return str(st.session_state.get(_REFUSED, ""))


def choose_model(name: str) -> None:
    """Choose a model for all pages; call it in a callback."""
    st.session_state[models.CHOSEN], st.session_state[_REFUSED] = name, ""


def open_class() -> None:
    """Read the class, the key and the cover where the link counts, and write them into it.

    A link without a class leaves the visitor's class unchanged.
    """
    for name in CLASSROOM:

        def read(name: str = name) -> str:
            return address.parameters().get(name) or str(st.session_state.get(name, ""))

        address.put({name: address.held(name, read)})
    covered = address.held(COVER, lambda: address.parameters().get(COVER, ""))
    address.put({COVER: "true" if covered else ""})


def open_stage() -> None:
    """Read the presenter mode from the first link; later the browser sends it."""
    st.session_state.setdefault(STAGE, address.parameters().get(STAGE) == ON)


def covered() -> bool:
    """Return True if a teacher has covered the parts of pages that give an answer away."""
    return bool(st.session_state.get(COVER))


def cover(wanted: bool) -> None:
    """Cover the answers, or show them again; call it in a callback."""
    st.session_state[COVER] = "true" if wanted else ""


def choose_class(code: str, key: str = "") -> None:
    """Enter a class, as its teacher with its key, or leave it with empty texts; for callbacks."""
    st.session_state.update({**dict(zip(CLASSROOM, (code, key), strict=True)), COVER: ""})


def along() -> list[tuple[str, str]]:
    """Return the language and class parameters, which every link repeats from the page's link."""
    names = (CHOSEN, *CLASSROOM)
    return [(name, value) for name, value in address.parameters().items() if name in names]
