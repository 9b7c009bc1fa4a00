"""The script that draws every page: navigation, lesson, top bar, page, link to the next page.

It does not lie beside the folder `pages`, because Streamlit would take every file in that folder
for a page of its older kind.
"""

from contextlib import ExitStack

import streamlit as st

from viz.course.entry import PageEntry
from viz.course.pages import COURSE, FIRST, SECTIONS, after, named
from viz.language.text import _, language, using
from viz.link.address import open_link
from viz.link.choice import open_choices
from viz.link.edits import leave_to_link
from viz.link.settings import open_class, open_language, open_model, open_stage
from viz.sharing.turns import TURNS
from viz.shell.chooser import load_model
from viz.shell.class_screen.bar import class_bar
from viz.shell.class_screen.frame import fills_screen, seated
from viz.shell.class_screen.panel import show_question
from viz.shell.class_screen.seat import Seat
from viz.shell.in_python import show_code
from viz.shell.lessons.card import lesson_shown, show_lesson
from viz.shell.navigation import begin_page, title_of
from viz.shell.reconnection import reconnection
from viz.shell.top_bar import show_top_bar
from viz.shell.watching import watch_page

_NEXT = """<style>
.st-key-next-page {margin-top: 2rem; padding-top: 1rem; border-top: 1px solid #80808055}
.st-key-next-page p {font-size: 18px}
.st-key-next-page [data-testid="stPageLink"] p {font-weight: 600}
</style>"""


def page_of(entry: PageEntry) -> st.Page:
    """Make Streamlit's page for an entry of the course."""
    return st.Page(
        entry.path,
        title=title_of(entry),
        icon=f":material/{entry.icon}:",
        url_path=entry.link,
        default=entry.link == FIRST,
    )


def show_next(page: st.Page, entry: PageEntry) -> None:
    """Draw the link to the next page, on which Streamlit keeps the reader's choices."""
    st.html(_NEXT)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="next page"):
        st.markdown(_(entry.promise), width="content")
        st.page_link(
            page,
            label=_("Next: {title}").format(title=title_of(entry)),
            icon=":material/arrow_forward:",
            icon_position="right",
        )


# The width in pixels is enough for the longest page title; pictures get the rest of the page.
SIDEBAR = 250
leave_to_link()
st.set_page_config("Headlight", "🔦", layout="wide", initial_sidebar_state=SIDEBAR)
with ExitStack() as held:
    # A scene opened ahead has no browser, and nobody waits for it.
    ahead = lesson_shown() and not st.context.url
    held.enter_context(TURNS.beside() if ahead else TURNS.taken())
    open_link()
    open_language()
    held.enter_context(using(language()))  # read once: it is asked for hundreds of times
    open_model()
    load_model()
    open_class()
    open_stage()
    pages = {entry.link: page_of(entry) for entry in COURSE}
    page = st.navigation(
        {_(title): [pages[entry.link] for entry in own] for title, own in SECTIONS.items()},
        expanded=True,  # beyond a dozen pages, Streamlit would hide the rest
    )
    entry = named(page.url_path or FIRST)
    open_choices(entry.link)
    reconnection()
    if fills_screen(seated(), entry):
        st.stop()
    if entry.has_box:
        show_lesson()  # before the rest: a new scene drops earlier choices
    show_top_bar(pages[FIRST], entry)
    begin_page(entry)
    if isinstance(seat := seated(), Seat):  # read again: the lesson may have asked a question
        class_bar(seat, entry)
        if seat.leads:
            show_question(seat)
    page.run()
    if entry.has_box:
        watch_page()
    if not lesson_shown():
        show_code(entry)
        following = after(entry.link)
        show_next(pages[following.link], following)
