"""The top bar of all pages, on the shipped checkpoint."""

import json
import re
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import message
from tests.sentences import EXAMPLES, FIRST_SENTENCE, OURS
from viz.compute import familiarity, runs


def said(page: AppTest) -> tuple[str, ...]:
    """Return the HTML of both texts in the bar."""
    bodies = [one.proto.body for one in page.get("html")]
    return tuple(body for body in bodies if 'class="bar-said' in body)


def flashing(html: str) -> list[str]:
    return re.findall(r'class="bar-new[^"]*">([^<]*)<', html)


def underlined(html: str) -> list[str]:
    return re.findall(r'class="[^"]*bar-other">([^<]*)<', html)


def test_the_top_bar_holds_the_english_and_the_french(open_page: OpenPage) -> None:
    page = open_page("tokens")
    english, french = said(page)
    assert "The animal didn&#x27;t cross" in english
    assert "qu&#x27;il était trop fatigué." in french
    assert flashing(english) == flashing(french) == []


def test_the_words_that_an_example_changes_flash_until_the_next_change(open_page: OpenPage) -> None:
    page = open_page("tokens")
    page.text_input(key="sentence").set_value(EXAMPLES["too wide"]).run()
    assert page.session_state["sentence"] == EXAMPLES["too wide"]
    english, french = said(page)
    assert flashing(english) == ["wide."]
    assert flashing(french) == ["qu&#x27;elle", "large."]
    page.run()
    assert said(page) == (english, french)
    page.text_input(key="sentence").set_value(FIRST_SENTENCE).run()
    assert flashing(said(page)[0]) == ["tired."]


def test_nothing_flashes_on_the_way_to_another_page(open_page: OpenPage) -> None:
    page = open_page("tokens")
    page.text_input(key="sentence").set_value(EXAMPLES["too wide"]).run()
    page.switch_page("../pages/about/page.py").run()
    assert [flashing(html) for html in said(page)] == [[], []]
    assert "large" in said(page)[1]


def test_the_words_of_a_changed_model_stay_marked_on_every_page(open_page: OpenPage) -> None:
    english, french = said(open_page("tokens", edits="turn.e.12.9.6-4"))
    assert underlined(english) == []
    written = runs.translator().translate(FIRST_SENTENCE).text
    assert underlined(french)
    assert not set(underlined(french)) & set(escape(written).split())
    assert f"As trained: {escape(written)}" in french
    for page in (open_page("tokens"), open_page("tokens", edits="zero.e.1.1")):
        assert underlined(said(page)[1]) == []
        assert "As trained" not in said(page)[1]
    (nothing,) = said(open_page("tokens", edits="zero.c.1-6.1-8_zero.d.1-6.1-8"))[1:]
    assert "(no words)" not in nothing or underlined(nothing) == []


def test_the_french_is_what_the_changed_model_writes(open_page: OpenPage) -> None:
    page = open_page("lab_heads")
    before = said(page)[1]
    page.run()
    changed = open_page("lab_heads", edits="zero.c.1-6.1-8")
    assert said(changed)[1] != before


@pytest.mark.parametrize("sentence", ["", "   ", "\u200b"])
def test_without_words_there_is_no_french(open_page: OpenPage, sentence: str) -> None:
    page = open_page("tokens", sentence=sentence)
    assert not page.exception
    assert page.text_input(key="sentence").value == sentence
    assert said(page)[1].endswith("></div>")


def test_a_sentence_from_a_link_stays_text(open_page: OpenPage) -> None:
    page = open_page("about", sentence='<img src=x onerror="alert(1)">')
    assert not any("<img" in html for html in said(page))


def caption(page: AppTest) -> list[str]:
    """Return the lines that figures get which are saved from a page."""
    found = page.get("bidi_component")
    (tools,) = [one for one in found if one.proto.component_name == "top_bar_tools"]
    told = message(tools)
    return (json.loads(told["text"]) if "text" in told else told)["paper"]["caption"]


def test_a_figure_on_paper_says_of_what_it_is(open_page: OpenPage) -> None:
    english, french, model = caption(open_page("tokens"))
    assert english == f"English: {FIRST_SENTENCE}"
    assert french.startswith("French, by the model: L'animal n'a pas")
    assert model.startswith("Checkpoint: en-fr")
    assert model.endswith("Made with Headlight.")
    changed = caption(open_page("tokens", edits="zero.c.5.6"))[2]
    assert changed == "Changed in the model: cross 5.6: off (zero output)"
    assert caption(open_page("recurrent")) == [
        english,
        "Recurrent models beside en-fr. Made with Headlight.",
    ]
    for page in ("by_hand", "about"):  # they show nothing of the sentence
        assert caption(open_page(page)) == ["Checkpoint: en-fr. Made with Headlight."]


@pytest.mark.parametrize("example", OURS.texts)
def test_an_ordinary_sentence_has_no_mark(example: str) -> None:
    assert familiarity.far(example) == ()


def test_a_sentence_far_from_what_was_learned_has_a_mark_that_says_why(
    open_page: OpenPage,
) -> None:
    page = open_page("tokens", sentence="Quantum chromodynamics describes gluons.")
    english, french = said(page)
    assert "bar-far" not in english
    assert french.count('class="bar-far"') == 1
    assert "Its words are rarer" in french
    assert "It has more pieces" not in french
    assert re.search(r"chrF \d\d instead of \d\d\.", french)
    long = (
        "When the man who lived next door came home, he sat down and read what she had said to me."
    )
    assert [one.sign for one in familiarity.far(long)][:1] == ["long"]
    page.text_input(key="sentence").set_value("北京是中国的首都。").run()  # short, of many bytes
    assert "It has more pieces than 99 of 100" in said(page)[1]
    page.text_input(key="sentence").set_value(FIRST_SENTENCE).run()
    assert "bar-far" not in said(page)[1]


@pytest.mark.parametrize("model", ["en-fr-dot", "en-fr-lstm"])
def test_a_model_whose_limits_were_not_measured_has_no_mark(
    open_page: OpenPage, model: str
) -> None:
    page = open_page("tokens", model=model, sentence="Xylophone zebras quixotically juxtapose.")
    assert "bar-far" not in said(page)[1]
