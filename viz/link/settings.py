"""Settings of a link for everything after it, read before anything is drawn: language, model."""

import streamlit as st

from viz.compute import models
from viz.figures.letters import STAGE
from viz.language.text import CHOSEN, ENGLISH, languages
from viz.link import address
from viz.link.table import CLASSROOM, COVER

_REFUSED = "refused model"


def open_language() -> None:
    """Read the language where the link counts, before any text, and write it into the link.

    The link omits English where the browser asks for English.
    """

    def read() -> str:
        asked = address.parameters().get(CHOSEN, "")
        before = st.session_state.get(CHOSEN) or of_browser()
        return asked if asked in languages() else before

    shown = address.held(CHOSEN, read)
    address.put({CHOSEN: "" if shown == of_browser() == ENGLISH else shown})


def of_browser() -> str:
    """Return the language that the browser asks for, English where we do not have it."""
    asked = str(st.context.locale or "").replace("_", "-").partition("-")[0].lower()
    return asked if asked in languages() else ENGLISH


def open_model() -> None:
    """Read the model where the link counts, before it is needed, and write it into the link.

    A widget bound to the link would not do: the browser writes the shown value, and a closed menu
    shows nothing. A model that the link names but that does not exist is kept for `refused_model`.
    """
    names = list(models.folders())
    if st.session_state.get(models.CHOSEN) not in names:
        st.session_state.pop(models.CHOSEN, None)  # its folder is gone

    def read() -> str:
        asked = address.parameters().get(models.CHOSEN, names[0])
        st.session_state[_REFUSED] = "" if asked in names else asked
        return asked if asked in names else names[0]

    shown = address.held(models.CHOSEN, read)
    address.put({models.CHOSEN: "" if shown == names[0] else shown})


def refused_model() -> str:
    """Return the missing model that the link asked for; "" if there is none."""
    return str(st.session_state.get(_REFUSED, ""))


def choose_model(name: str) -> None:
    """Choose a model for all pages; for callbacks."""
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
    """Read from the first link whether it is shown to a class; later the browser tells."""
    st.session_state.setdefault(STAGE, bool(address.parameters().get(STAGE)))


def covered() -> bool:
    """Tell whether a teacher has covered the parts of pages that give an answer away."""
    return bool(st.session_state.get(COVER))


def cover(wanted: bool) -> None:
    """Cover the answers, or show them again; for callbacks."""
    st.session_state[COVER] = "true" if wanted else ""


def choose_class(code: str, key: str = "") -> None:
    """Enter a class, with its key as its teacher; leave it with neither; for callbacks."""
    st.session_state.update({**dict(zip(CLASSROOM, (code, key), strict=True)), COVER: ""})


def along() -> list[tuple[str, str]]:
    """Return the language and class parameters of every link, as in the page's own."""
    own = (CHOSEN, *CLASSROOM)
    return [(name, text) for name, text in address.parameters().items() if name in own]
