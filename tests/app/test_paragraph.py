"""A text that is too long for one pass is split into its sentences, with a choice."""

from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from viz.shell.paragraph import sentences_of

PARTS = [f"The cat number {number} sleeps in the old house by the river." for number in range(14)]


def choice(page: AppTest) -> list[str]:
    found = [box for box in page.selectbox if box.key == "sentence of paragraph"]
    return list(found[0].options) if found else []


def test_a_paragraph_is_split_and_its_sentences_are_chosen(open_page: OpenPage) -> None:
    page = open_page("attention", sentence=" ".join(PARTS))
    assert choice(page) == PARTS
    box = next(box for box in page.selectbox if box.key == "sentence of paragraph")
    box.select(PARTS[3]).run()
    assert page.session_state["sentence"] == PARTS[3]
    assert choice(page) == PARTS  # and another can be chosen
    assert not page.warning
    assert not page.exception


def test_a_sentence_that_fits_has_no_choice(open_page: OpenPage) -> None:
    assert choice(open_page("attention", sentence="The cat sleeps. The dog sleeps.")) == []


def test_sentences_end_at_a_mark_and_a_space() -> None:
    assert sentences_of("It costs 3.50 here. Really?  Yes! So") == [
        "It costs 3.50 here.",
        "Really?",
        "Yes!",
        "So",
    ]
