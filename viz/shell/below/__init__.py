"""Figures below the first screen; on stage they are drawn after what is above them."""

from pathlib import Path

import streamlit as st
from plotly.graph_objects import Figure

from viz.components.component import renderer
from viz.figures.figure import show_figure
from viz.figures.letters import STAGE
from viz.figures.margins import height_of
from viz.shell.fragment import fragment

_MAIN = Path(__file__).parent / "assets" / "below.js"

_REACHED = "reached below"


def show_below(figure: Figure, key: str, tools: bool = True, share: float = 1.0) -> None:
    """Draw a figure that nobody sees before scrolling; the arguments are those of `show_figure`.

    On stage, an empty space of its height comes first. The figure follows when the class scrolls
    near it, or has looked at the page for a moment: two figures take a browser as long as all else
    on a page of the laboratory. In a new scene this begins again.
    """
    if st.session_state.get(STAGE):
        _show_later(figure, key, tools, share)
    else:
        show_figure(figure, key, tools, share=share)


@fragment
def _show_later(figure: Figure, key: str, tools: bool, share: float) -> None:
    reached: set[str] = st.session_state.setdefault(_REACHED, set())
    if key in reached:
        show_figure(figure, key, tools, share=share)
        return
    renderer("below", _MAIN)(
        key=f"below {key}",
        data={"height": height_of(figure)},
        on_reached_change=lambda: reached.add(key),
    )
