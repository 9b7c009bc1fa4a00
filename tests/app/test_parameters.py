"""Whatever a link says, no page ends in an error: what is empty or foreign means the default."""

import ast
from pathlib import Path

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import shown
from viz.pages.decoder.step_decoder.view import PARAMETERS
from viz.shell.navigation import page_links

BY_HAND = ("choose_one", "choose_number")
VIZ = Path(__file__).parents[2] / "viz"
UNBOUND = ("kind", "layer", "head", "heads", "query", "word", "step", "lock", "view", "aids")
OTHERS = ("edits", "block", "order", "scene", "lesson", "score", *PARAMETERS)


def bound() -> set[str]:
    """List the keys of all widgets that are bound to the link, where they are written out."""
    calls = [
        node
        for path in VIZ.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    found: set[str] = set()
    for call in calls:
        given = {word.arg: word.value for word in call.keywords}
        key = given.get("key")
        called = call.func.id if isinstance(call.func, ast.Name) else ""
        if called in BY_HAND and "link" not in given:
            key = call.args[2]
        elif "bind" not in given:
            continue
        if isinstance(key, ast.Constant):
            found.add(str(key.value))
    return found - {"sentence"}


NAMES = sorted(bound() | {*UNBOUND, *OTHERS, "positions", "tokens", "break"})
VIEWS = {
    "tokens": ("tokens", "pieces", "other cuts", "embedding", "neighbours", "map"),
    "positions": (
        *("positions", "curves", "table", "dot products", "shift by k", "added or joined"),
    ),
    "lab_scale": ("break", "before and after", "positions side by side"),
    "about": ("about", "translation", "pronouns", "heads", "training"),
    "layers": ("layers", "blocks", "one token", "cost", "shapes"),
    "why": ("why", "why it looks there", "who wrote this word"),
    "block": ("block view", "add & norm", "feed-forward"),
    # not some steps, which trains
    "learning": ("learning", "one example", "teacher forcing", "rate and dropout"),
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


def test_the_parameters_that_are_tried_are_those_of_the_pages() -> None:
    named = {"kind", "layer", "head", "kernel", "tokens", "positions", "layout", "stack"}
    assert named | {"temperature", "pieces_of", "dimensions", "aligned", "step_by"} <= set(NAMES)


@pytest.mark.parametrize(("page", "view"), places())
def test_an_empty_parameter_means_the_default(
    open_page: OpenPage, page: str, view: dict[str, str]
) -> None:
    said = open_page(page, **{**dict.fromkeys(NAMES, ""), **view})
    assert not said.exception
    usual = open_page(page, **view)
    parameters = [name for name in NAMES if name in usual.session_state]
    assert shown(said, parameters) == shown(usual, parameters)


@pytest.mark.parametrize("page", sorted(page_links()))
def test_a_foreign_parameter_ends_no_page(open_page: OpenPage, page: str) -> None:
    assert not open_page(page, **dict.fromkeys(NAMES, "¿<b>-1e999")).exception
