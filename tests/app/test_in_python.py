"""The lines of Python of every view: what is copied from there runs."""

from collections.abc import Iterator
from functools import cache
from string import Template
from typing import Any

import pytest

import headlight
from model import Recording, Translator
from tests.app.conftest import OpenPage
from tests.app.shown import views
from viz.compute import openings
from viz.course.pages import COURSE
from viz.language.text import capital
from viz.shell.in_python import KEY, ordered, written

SENTENCE, OTHER = "The cat is here.", "The dog is here."
OWN = {"blocks": "Through the layers has lines for each block"}
LINES = [(link, view) for link, views in written().items() for view in views]


@pytest.fixture(scope="module", autouse=True)
def _read_once() -> Iterator[None]:
    """The lines read a model from its folder, which takes longer than most of what they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("headlight.model.load_translator", cache(headlight.load_translator))
        yield


@pytest.fixture(scope="module")
def translator() -> Translator:
    return headlight.load_translator()


@pytest.fixture(scope="module")
def recording(translator: Translator) -> Recording:
    return translator.record(SENTENCE)


def run_lines(code: str, **names: object) -> dict[str, Any]:
    """Run lines with what is there already, and return the names they made."""
    made = dict(names)
    exec(code, made)
    return made


@pytest.mark.parametrize("link", [entry.link for entry in COURSE])
def test_every_view_has_its_lines_and_what_a_page_shows_runs(
    open_page: OpenPage, link: str
) -> None:
    """The views of a page are those that its choice offers."""
    page = open_page(link, KEY, sentence=SENTENCE)
    offered = views(page) or ["Page"]
    assert {*map(capital, written()[link])} == {*offered} - {*map(capital, OWN)}
    shown = [one.value for one in page.code if "load_translator" in one.value]
    if link != "layers":
        names = run_lines(shown[-1])
        said = names["recording"].source_tokens[0].strip("▁")
        assert said in SENTENCE or link in ("story", "by_hand", "about")


@pytest.mark.parametrize(("link", "view"), LINES)
def test_the_lines_of_a_view_run(
    translator: Translator, recording: Recording, link: str, view: str
) -> None:
    filled = Template(written()[link][view]).substitute(
        sentence=repr(SENTENCE), second=repr(OTHER), kind="cross", layer=4, head=2
    )
    given = {"translator": translator, "recording": recording}
    code = "\n".join(ordered(filled.splitlines()))
    made = run_lines(code, load_translator=headlight.load_translator, **given)
    assert len(made) > len(given) or "print" in filled or "for " in filled


def test_the_lines_are_those_of_the_view_on_screen(open_page: OpenPage) -> None:
    page = open_page("decoder", KEY, sentence=SENTENCE, writing="what is kept")
    assert "decoding_cost" in page.code[-1].value
    page = open_page("decoder", KEY, sentence=SENTENCE)
    assert "translator.steps" in page.code[-1].value


def test_the_lines_follow_the_head_and_the_changes(open_page: OpenPage) -> None:
    page = open_page("lab_heads", KEY, sentence=SENTENCE, edits="zero.e.1.2")
    names = run_lines(page.code[-1].value)
    assert not names["recording"].part("encoder", 0, "z")[1].any()
    page = open_page("attention", KEY, sentence=SENTENCE, kind="cross", layer="5", heads="3")
    names = run_lines(page.code[-1].value)
    weights = names["recording"].attention("cross")[4, 2]
    assert (names["weights"] == weights).all()


def test_the_lines_of_one_head_are_those_of_the_head_it_opens_on(open_page: OpenPage) -> None:
    (mixing,) = openings.mixing(SENTENCE)
    said = open_page("head", KEY, sentence=SENTENCE).code[-1].value
    assert f'recording.part("{mixing.kind}", {mixing.layer}, part)[{mixing.head}]' in said


@pytest.mark.parametrize("link", ["story", "attention", "tokens"])
def test_recurrent_models_have_no_lines(open_page: OpenPage, link: str) -> None:
    page = open_page(link, KEY, sentence=SENTENCE, model="en-fr-dot")
    assert not page.exception
    assert not any("load_translator" in code.value for code in page.code)
