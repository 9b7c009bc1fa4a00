"""Why it looks there, and who wrote this word: exact sums over everything that was written."""

import streamlit as st

from viz.pages.why.link_panel import explain, link_panel
from viz.pages.why.word_panel import word_panel
from viz.shared.text import _
from viz.shell.header import choose_view, open_page

LINK, WORD = _("why it looks there"), _("who wrote this word")

run = open_page(
    _("Why it looks there"),
    _("Scores and logits are exact sums: of the embedding, the position, and all that was added."),
)
if choose_view((LINK, WORD), "why") == LINK:
    st.fragment(link_panel)(run)
    explain()
else:
    st.fragment(word_panel)(run)
