"""Whatever a link says, no page ends in an error: what is empty or foreign means the default."""

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import shown
from viz.course.pages import page_links
from viz.link import table
from viz.link.address import TEXTS

NAMES = sorted(table.NAMES - {"sentence"})
VIEWS = {
    "tokens": ("tokens", "pieces", "other cuts", "embedding", "neighbours", "map"),
    "positions": (
        *("positions", "curves", "table", "dot products", "shift by k", "added or joined"),
    ),
    "lab_scale": ("break", "before and after", "positions side by side"),
    "about": ("about", "translation", "pronouns", "heads", "training"),
    "layers": ("layers", "blocks", "one token", "cost", "shapes"),
    "by_hand": (
        *("by hand", "Thinking Machines", "minus infinity", "why √d_k", "room for directions"),
    ),
    "why": ("why", "the parts of a score", "who wrote this word"),
    "block": ("block view", "add & norm", "feed-forward"),
    # not some steps, which trains
    "learning": (
        "learning",
        "one example",
        "teacher forcing",
        "learning rate",
        "dropout",
        "optimizers",
    ),
    "recurrent": (
        *("ancestors", "all models", "one step", "the bottleneck", "soft or hard", "lookup"),
        *("global or local", "why it was replaced", "what is kept"),
    ),
}
"""The parameter that holds a page's view, and the views."""


def places() -> list[tuple[str, dict[str, str]]]:
    """List all pages with, in their link, each of their views."""
    found: list[tuple[str, dict[str, str]]] = []
    for page in sorted(page_links()):
        name, *views = VIEWS.get(page, ("", ""))
        found += [(page, {name: view} if view else {}) for view in views]
    return found


@pytest.mark.parametrize(("page", "view"), places())
def test_an_empty_parameter_means_the_default(
    open_page: OpenPage, page: str, view: dict[str, str]
) -> None:
    empty = dict.fromkeys((name for name in NAMES if name not in TEXTS), "")
    said = open_page(page, **{**empty, **view})
    assert not said.exception
    usual = open_page(page, **view)
    parameters = [name for name in NAMES if name in usual.session_state]
    assert shown(said, parameters) == shown(usual, parameters)


@pytest.mark.parametrize("page", sorted(page_links()))
def test_a_foreign_parameter_ends_no_page(open_page: OpenPage, page: str) -> None:
    assert not open_page(page, **dict.fromkeys(NAMES, "¿<b>-1e999")).exception
