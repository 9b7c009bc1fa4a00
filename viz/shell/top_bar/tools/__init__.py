"""The tools of the top bar: share the view, save its figures for paper, show it to a class."""

import json
from pathlib import Path

import streamlit as st

from viz.components.component import renderer
from viz.figures.letters import STAGE
from viz.language.text import _, language
from viz.link.framing import frame_of
from viz.link.offers import here
from viz.link.table import CLASSROOM, ON

_OWN = (STAGE, *CLASSROOM)
"""Parameters that a shared link leaves out: the mode, the class, and its teacher's key."""

_KEY = "bar tools"
_ENTRY = Path(__file__).parent / "assets" / "tools.js"


def top_bar_tools(page: str, sentence: str | None, paper: dict[str, object]) -> None:
    """Draw the buttons with which a view is shared, and presented to a class.

    A shared link names the `sentence`, if there is one, even if it is the one that the page opens
    with; all other parameters are those of the address. Saved figures get the colours and the
    caption of `paper`. If other sites may frame this page, or its copy on a site, a button copies
    such a frame.

    Streamlit draws a component again only if its data is new. The data include the `page`, so that
    this happens on every page and the address keeps the mode. They also include the mode that the
    figures are drawn for: a browser that is in the other mode asks for other figures.
    """

    def take() -> None:
        st.session_state[STAGE] = st.session_state[_KEY].stage == "on"

    words = {
        "share": _("Share"),
        "copy": _("Copy the link of this view"),
        "copied": _("Link copied"),
        "refused": _("Copy this link:"),
        "embed": _("Embed"),
        "frame": _("Copy an <iframe> of this view, for a page of your own"),
        "framed": _("Frame copied"),
        "refusedFrame": _("Copy this frame:"),
        "present": _("Present"),
        "mode": _("Show it to a class (P): larger, without the navigation"),
    }
    data = {
        "page": page,
        "language": language(),
        "view": here(**dict.fromkeys(_OWN, ""), **({"sentence": sentence} if sentence else {})),
        "frame": frame_of(page, language()),
        "stage": bool(st.session_state.get(STAGE)),
        "modes": {"on": here(**{STAGE: ON}), "off": here(**{STAGE: ""})},
        "words": words,
        "paper": paper,
    }
    text = json.dumps(data, ensure_ascii=False)
    renderer("top_bar_tools", _ENTRY)(
        key=_KEY, data={"text": text}, height="content", on_stage_change=take
    )
