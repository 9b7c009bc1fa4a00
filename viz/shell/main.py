"""The script behind every page: page config, navigation, the sentence box, the lesson.

It stands in a folder of its own: beside a folder called pages, Streamlit would take every file in
there for a page of an older kind.
"""

from pathlib import Path

import streamlit as st

from viz.shell import state
from viz.shell.lessons.card import show_lesson
from viz.shell.navigation import FIRST, PageEntry, sections
from viz.shell.reconnection import reconnection

PAGES = Path(__file__).parent.parent / "pages"


def page_of(entry: PageEntry) -> st.Page:
    """Make the page of a file in viz/pages."""
    return st.Page(
        PAGES / entry.file,
        title=entry.title,
        icon=f":material/{entry.icon}:",
        url_path=entry.link,
        default=entry.link == FIRST,
    )


# Pixels: enough for the longest page title, the rest is for the picture.
SIDEBAR = 250
# Streamlit leaves 5rem on either side, a sixth of a projector's width, and 6rem above.
MARGINS = "<style>.stMainBlockContainer {padding: 4rem 2rem 3rem}</style>"

st.set_page_config("Headlight", "🔦", layout="wide", initial_sidebar_state=SIDEBAR)
st.html(MARGINS)
page = st.navigation(
    {title: [page_of(entry) for entry in entries] for title, entries in sections().items()}
)
reconnection()
if page.url_path:  # the first page tells its own two sentences
    show_lesson()
    state.sentence_box()
    state.open_interventions()
page.run()
