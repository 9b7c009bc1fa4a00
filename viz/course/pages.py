"""All pages in the order of the course; each is described by `ENTRY` in its folder's entry.py."""

from dataclasses import replace
from importlib import import_module

from viz.course.entry import PageEntry
from viz.language.text import later

_FOLDERS = {
    later("Start"): "story attention",
    later("How it works"): (
        "tokens positions head by_hand block why layers decoder recurrent learning"
    ),
    later("Break it"): "lab_masks lab_heads lab_blocks lab_scale lab_pairs trace two_models",
    later("All heads"): "atlas",
    later("About"): "about",
}


def _entry(folder: str) -> PageEntry:
    """Read the entry in a page's folder."""
    return replace(import_module(f"..pages.{folder}.entry", __package__).ENTRY, link=folder)


SECTIONS = {
    title: tuple(_entry(folder) for folder in folders.split())
    for title, folders in _FOLDERS.items()
}
"""The pages by the heading above them in the navigation."""

COURSE = tuple(entry for entries in SECTIONS.values() for entry in entries)
"""All pages in the order of the course."""

FIRST = COURSE[0].link
"""The link of the page that a visitor sees first."""


def named(link: str) -> PageEntry:
    """Return the page with a link; raise KeyError if there is none."""
    return {entry.link: entry for entry in COURSE}[link]


def after(link: str) -> PageEntry:
    """Return the page after the one with this link; after the last comes the first."""
    return COURSE[(COURSE.index(named(link)) + 1) % len(COURSE)]


def page_links() -> frozenset[str]:
    """Return the links of all pages but the first."""
    return frozenset(entry.link for entry in COURSE if entry.link != FIRST)
