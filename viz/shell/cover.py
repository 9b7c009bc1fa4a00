"""A cover for the parts of a page that would give away a lesson's answer too early."""

import json

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.language.text import _
from viz.shell import state
from viz.shell.lessons.format import TRANSLATION

_TELLS = "tells"
_ALWAYS = ".st-key-bar-target, .st-key-doubts, .st-key-before-after"

# Hidden parts keep their space, so that nothing moves when they appear; screen readers skip them.
# Some pictures show parts of themselves even in a hidden box, so the cover also lies over them.
_STYLE = """<style>
{covered} {{position: relative}}
{covered} * {{visibility: hidden !important}}
{covered}::after {{
  content: {text};
  position: absolute; inset: 0; z-index: 10; box-sizing: border-box; overflow: hidden;
  display: flex; justify-content: center; align-items: center;
  background: color-mix(in srgb, {colour} 5%, {background});
  border: 1px dashed color-mix(in srgb, {colour} 35%, {background}); border-radius: 8px;
  color: color-mix(in srgb, {colour} 75%, {background}); font-size: 17px;
}}
.st-key-bar-target::after {{inset: auto 0; height: max(100%, 28px)}}
{tells}::after {{align-items: start; padding-top: 2.5rem}}
{weights}
</style>"""


# Boards of switches stay in view, but do not show what each switch would do, and the words of the
# attention page without their lines and weights.
_WEIGHTS = """:root {
  --told: hidden; --told-fill: transparent; --told-ink: currentcolor; --told-letters: normal;
}"""


def telling(part: str = "page") -> DeltaGenerator:
    """Return a container for what may give away an answer; `part` must be unique on the page."""
    return st.container(key=f"{_TELLS} {part}")


def ask(words: str, covers: str = "") -> None:
    """Ask the reader to choose first; while the request is shown, cover the telling parts.

    The telling parts are the translation in the top bar and what is said of it, Before and After,
    and every `telling` container. If only the translation or the weights give away the answer,
    `covers` says so, and the rest of the picture stays in view.
    """
    theme = state.current_theme()
    tells = f'[class*="st-key-{_TELLS}-"]'
    style = _STYLE.format(
        covered=f":is({_ALWAYS}{'' if covers else f', {tells}'})",
        tells=tells,
        text=json.dumps(_("Choose first"), ensure_ascii=False),
        weights="" if covers == TRANSLATION else _WEIGHTS,
        colour=theme.text,
        background=theme.background,
    )
    # One element holds both: a style in an element of its own might outlive the words.
    st.caption(f"{style}\n\n{words}", unsafe_allow_html=True)
