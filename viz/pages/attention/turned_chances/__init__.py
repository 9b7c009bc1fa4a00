"""The answers to the explorer while the end of a line is dragged: a piece without a picture."""

from pathlib import Path
from typing import Any

import streamlit as st

from model.interventions import link_text
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.compute.chances import step_chances
from viz.shell.fragment import fragment

ENTRY = Path(__file__).parent / "assets" / "turned_chances.js"
KEY = "turned chances"
_ASKED = "asked chances"
_LONGEST = 2_000


@fragment
def answer_turns(sentence: str) -> None:
    """Answer what the explorer asks about a sentence, alone again for each question."""

    def take() -> None:
        sent: Any = st.session_state[KEY].turning
        told = sent if isinstance(sent, dict) else {}
        text, step = told.get("edits"), told.get("step")
        readable = isinstance(text, str) and len(text) <= _LONGEST
        if not readable or (step is not None and whole(step) is None):
            return refuse()
        st.session_state[_ASKED] = sentence, text, whole(step)

    asked = st.session_state.get(_ASKED)
    answer = None
    if asked and asked[0] == sentence:
        _, text, step = asked
        result = step_chances(sentence, link_text.read(text).interventions, step)
        answer = {"sentence": sentence, "edits": text, "step": step, **_told(result)}
    renderer("turned_chances", ENTRY)(
        key=KEY, data={"answer": answer}, on_turning_change=take, height="content"
    )


def _told(result: object) -> dict[str, object]:
    return {name: value for name, value in vars(result).items() if name != "step"}
