"""The end of every page: one sentence, and the link to the next page of the course."""

import streamlit as st

from viz.course.entry import PageEntry
from viz.language.text import _
from viz.shell.navigation import title_of

_STYLE = """<style>
.st-key-next-page {margin-top: 2rem; padding-top: 1rem; border-top: 1px solid #80808055}
.st-key-next-page p {font-size: 18px}
.st-key-next-page [data-testid="stPageLink"] p {font-weight: 600}
</style>"""


def show_next(page: st.Page, entry: PageEntry) -> None:
    """Draw the link to the next page; Streamlit keeps the reader's choices on the way."""
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="next page"):
        st.markdown(_(entry.promise), width="content")
        st.page_link(
            page,
            label=_("Next: {title}").format(title=title_of(entry)),
            icon=":material/arrow_forward:",
            icon_position="right",
        )
