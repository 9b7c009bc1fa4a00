"""Drawing a plotly figure on a page."""

from html import escape

import streamlit as st
from plotly.graph_objects import Figure

from viz.figures.letters import STAGE, for_stage
from viz.figures.margins import height_of, make_room
from viz.figures.said import said


def show_figure(
    figure: Figure,
    key: str | None = None,
    tools: bool = True,
    wide: bool = False,
    share: float = 1.0,
) -> None:
    """Draw a figure over the whole width, in its own colours and without plotly's logo.

    Under a separate key, a figure replaces only its predecessor. While the pointer is on it, it
    shows plotly's button to save it as SVG, which the top bar turns into one for paper, and with
    `tools` the zoom buttons. A `wide` figure scrolls on a phone instead of becoming too narrow to
    read; one in a column has a `share` of the page's width. A hidden sentence says what it shows,
    for those who do not see it.
    """
    name = "-".join(("headlight", *(key or "figure").split()))
    config: dict[str, object] = {
        "displaylogo": False,
        "displayNotifier": False,
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    if not tools:
        config["modeBarButtons"] = [["toImage"]]
    place = st.container(key=f"wide {key}") if wide else st
    if words := said(figure):
        # With a key its place takes no room from the start, not only once it is drawn.
        hidden = place.container(key=f"said {key}") if key else place
        hidden.html(f'<p class="figure-said">{escape(words)}</p>')
    # A part that is redrawn on its own brings the same figure again: a class's is another one.
    shown = for_stage(Figure(figure), share) if st.session_state.get(STAGE) else make_room(figure)
    place.plotly_chart(shown, theme=None, config=config, height=height_of(figure), key=key)
