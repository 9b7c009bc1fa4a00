"""Positions: the sinusoids, what one can do with them, and the model when they are changed."""

import streamlit as st

from viz.pages.positions.encoding_panels import show_curves, show_heatmap
from viz.pages.positions.model_panel import show_model
from viz.pages.positions.old_link import open_old_link
from viz.pages.positions.use_panels import show_combination, show_products, show_shift
from viz.shared.text import _
from viz.shell.header import choose_view, open_page

MODEL = "in the model"
VIEWS = {
    "curves": show_curves,
    "table": show_heatmap,
    "dot products": show_products,
    "shift by k": show_shift,
    "added or joined": show_combination,
    MODEL: show_model,
}

open_old_link(MODEL)
opened = open_page(
    _("Order"),
    _("Attention sees a set of pieces; sines and cosines added to them tell it their order."),
)
view = choose_view(list(VIEWS), "positions")
if view == MODEL:
    show_model(opened)  # what it changes shows in the head of the page too
else:
    st.fragment(VIEWS[view])(opened)  # a slider redraws its own view only
