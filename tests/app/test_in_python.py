"""The lines of Python on every page: what is copied from there runs."""

from typing import Any

import pytest

from tests.app.conftest import OpenPage
from viz.shell.navigation import COURSE

SENTENCE = "The cat is here."
OWN = {"by_hand": "its numbers are typed", "layers": "it has lines for each block"}


def run_lines(code: str) -> dict[str, Any]:
    """Run what a page shows, and return the names it made."""
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def test_every_page_has_its_lines() -> None:
    assert {entry.link for entry in COURSE if not entry.python} == set(OWN)


@pytest.mark.parametrize("link", [entry.link for entry in COURSE if entry.python])
def test_the_lines_of_a_page_run(open_page: OpenPage, link: str) -> None:
    page = open_page(link, sentence=SENTENCE)
    names = run_lines(page.code[-1].value)
    assert names["recording"].source_tokens[0].strip("▁") in SENTENCE or link == "story"


def test_the_lines_follow_the_head_and_the_changes(open_page: OpenPage) -> None:
    page = open_page("lab_heads", sentence=SENTENCE, edits="zero.e.1.2")
    names = run_lines(page.code[-1].value)
    assert not names["recording"].part("encoder", 0, "z")[1].any()
    page = open_page("attention", sentence=SENTENCE, kind="cross", layer="5", heads="3")
    names = run_lines(page.code[-1].value)
    weights = names["recording"].attention("cross")[4, 2]
    assert (names["weights"] == weights).all()


@pytest.mark.parametrize("link", ["story", "attention", "tokens"])
def test_recurrent_models_have_no_lines(open_page: OpenPage, link: str) -> None:
    page = open_page(link, sentence=SENTENCE, model="en-fr-dot")
    assert not page.exception
    assert not any("load_translator" in code.value for code in page.code)
