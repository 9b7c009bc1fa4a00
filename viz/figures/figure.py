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

    Under a separate key, a figure replaces only its predecessor. While the pointer is on a figure,
    plotly shows its button to save an SVG, which the top bar prepares for paper, and with `tools`
    the zoom buttons. A `wide` figure scrolls on a phone instead of becoming too narrow to read; a
    figure in a column has a `share` of the page's width. A hidden sentence tells screen readers
    what the figure shows.
    """
    name = "-".join(("headlight", *(key or "figure").split()))
    config: dict[str, object] = {
        "displaylogo": False,
        "displayNotifier": False,
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    if not tools:
        config["modeBarButtons"] = [["toImage"]]
    container = st.container(key=f"wide {key}") if wide else st
    if words := said(figure):
        # Style sheets find a wide figure's container by this key, before the figure is drawn.
        hidden = container.container(key=f"said {key}") if key else container
        hidden.html(f'<p class="figure-said">{escape(words)}</p>')
    # A redrawn part of a page passes the same figure again, so the class gets a copy.
    shown = for_stage(Figure(figure), share) if st.session_state.get(STAGE) else make_room(figure)
    container.plotly_chart(shown, theme=None, config=config, height=height_of(figure), key=key)
