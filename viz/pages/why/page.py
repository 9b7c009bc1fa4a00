"""Exact sums: why a head looks where it looks, and which parts of the model wrote a word."""

from viz.language.text import later
from viz.pages.why.link_panel import explain, link_panel
from viz.pages.why.meaning_panel import meaning_panel
from viz.pages.why.word_panel import word_panel
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

LINK, WORD, MEANING = (
    later("the parts of a score"),
    later("who wrote this word"),
    later("one word, two meanings"),
)

run = open_page()
view = choose_view((LINK, WORD, MEANING), "why")
with telling():
    if view == LINK:
        fragment(link_panel)(run)
        explain()
    elif view == WORD:
        fragment(word_panel)(run)
    else:
        fragment(meaning_panel)(run)
