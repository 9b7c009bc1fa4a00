"""Exact sums: why a head looks where it looks, and which parts of the model wrote a word."""

from viz.language.text import _, later
from viz.pages.why.link_panel import explain, link_panel
from viz.pages.why.meaning_panel import meaning_panel
from viz.pages.why.word_panel import word_panel
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

LINK = "why it looks there"
"""The first view in links; on screen it has a name of its own, which is not the page's."""

WORD, MEANING = later("who wrote this word"), later("one word, two meanings")

run = open_page()
view = choose_view({LINK: _("the parts of a score"), WORD: _(WORD), MEANING: _(MEANING)}, "why")
with telling():
    if view == LINK:
        fragment(link_panel)(run)
        explain()
    elif view == WORD:
        fragment(word_panel)(run)
    else:
        fragment(meaning_panel)(run)
