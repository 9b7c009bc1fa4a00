"""Drawing a plotly figure on a page."""

import streamlit as st
from plotly.graph_objects import Figure


def show_figure(figure: Figure, key: str | None = None, tools: bool = True) -> None:
    """Draw a figure over the whole width, in its own colours and without plotly's logo.

    Under a key of its own, a figure takes the place of the one before and of no other. `tools`
    are plotly's buttons to zoom and to save, shown while the pointer is on the figure.
    """
    config = {"displaylogo": False} if tools else {"displayModeBar": False}
    st.plotly_chart(figure, theme=None, config=config, key=key)
