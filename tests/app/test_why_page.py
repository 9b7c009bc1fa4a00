"""Why it looks there, and who wrote a word, without a browser."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from tests.app.conftest import OpenPage
from tests.sentences import FIRST_SENTENCE, OURS
from viz.compute import runs
from viz.pages.why import word_panel
from viz.pages.why.figures import signed
from viz.pages.why.link_panel import MOST
from viz.pages.why.meanings import likeness, place_of
from viz.pages.why.sums import Terms, best_match, products, rest_of, terms
from viz.pages.why.words import REST


def said(at: AppTest) -> str:
    return " ".join(element.value for element in at.markdown)


def choices(at: AppTest) -> list[Selectbox]:
    """The choice of the piece, and of the other one."""
    return [box for box in at.selectbox if box.label in ("Piece", "Minus")]


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_parts_add_up_to_the_score(open_page: OpenPage, kind: str) -> None:
    page = open_page("why", kind=kind, layer="3", head="2", query="2", key="1")
    assert not page.exception
    assert "Recomputed from these numbers" in said(page)
    assert ":green-badge[" in said(page)
    assert "Why does the query that writes" in said(page) or kind == "encoder"
    lead = page.button_group(key="why score").options[1]
    page.button_group(key="why score").set_value(lead).run()
    assert not page.exception
    assert "than with the mean key?" in said(page)


def test_a_query_with_one_key_leads_no_other(open_page: OpenPage) -> None:
    page = open_page("why", kind="decoder", layer="3", head="2", query="1")
    assert not page.info
    lead = page.button_group(key="why score").options[1]
    page.button_group(key="why score").set_value(lead).run()
    assert "one key alone" in page.info[0].value
    assert "than with the mean key?" not in said(page)


def test_it_matches_animal_in_what_one_layer_wrote_into_both(open_page: OpenPage) -> None:
    told = said(open_page("why"))
    assert "Why does “it” score" in told
    assert "The largest part: what **encoder layer 5** wrote into both" in told


def test_small_parts_that_add_more_together_than_the_best_match_are_said(
    open_page: OpenPage,
) -> None:
    assert "add up to more" not in said(open_page("why"))
    sentence = "My little sister ate all the chocolate cookies."
    link = {"kind": "cross", "layer": "5", "head": "3", "query": "3", "key": "3"}
    page = open_page("why", sentence=sentence, **link)
    parts = runs.run(sentence).recording.score_parts("cross", 4, 2, 2, 2)
    rest = rest_of(products(parts, MOST))
    assert rest > best_match(parts).value
    assert f"add up to more: **{signed(rest)}**" in said(page)


def test_a_forbidden_link_is_taken_to_pieces_as_it_was(open_page: OpenPage) -> None:
    page = open_page(
        "why", kind="cross", layer="1", head="1", query="2", key="1", edits="block.c.1.1.2-1"
    )
    assert not page.exception
    assert "another score here" in said(page)


def test_a_head_that_is_switched_off_is_called_so(open_page: OpenPage) -> None:
    head = {"kind": "encoder", "layer": "6", "head": "4"}
    assert "switched off" not in said(open_page("why", edits="zero.e.6.3", **head))
    for off in ("zero.e.6.4", "mean.e.6.4", "skip.e.6"):
        page = open_page("why", edits=off, **head)
        assert not page.warning
        assert "switched off" in said(page)


@pytest.mark.parametrize("lead", [False, True])
def test_a_limited_score_is_not_taken_to_pieces(open_page: OpenPage, lead: bool) -> None:
    page = open_page(
        "why", kind="cross", layer="3", head="2", query="2", key="1", edits="clamp.c.0.01"
    )
    if lead:
        page.button_group(key="why score").set_value("its lead over the mean key").run()
    assert not page.exception
    (info,) = page.info
    assert "no sum gives" in info.value
    assert lead or "0.01 without a factor" in info.value
    assert not page.get("plotly_chart")


def test_a_word_is_taken_to_pieces_and_its_heads_switched_off(open_page: OpenPage) -> None:
    page = open_page("why", why="who wrote this word", sentence="It rains.", edits="res.d.1.ffn")
    assert not page.exception
    assert ":green-badge[" in said(page)
    assert len(page.get("plotly_chart")) == 2
    page.toggle(key="ablate").set_value(True).run()
    assert not page.exception
    assert len(page.get("plotly_chart")) == 3
    choices(page)[1].set_value(-1).run()
    assert "logit of" in said(page)


def test_il_is_set_against_elle(open_page: OpenPage) -> None:
    page = open_page("why", why="who wrote this word")
    names = runs.token_names([int(box.value or 0) for box in choices(page)])
    assert sorted(name.strip("▁") for name in names) == ["elle", "il"]
    recording = runs.run(FIRST_SENTENCE).recording
    parts = recording.logit_parts(13, *(int(box.value or 0) for box in choices(page)))
    values = terms(parts, word_panel.MOST).values
    largest = float(values[np.abs(values).argmax()])
    (asked,) = [one.value for one in page.markdown if one.value.startswith("How far is ")]
    assert f"? **{signed(float(parts.total))}**." in asked
    assert f", {signed(largest)}**." in asked


def test_a_largest_part_against_the_word_is_told_as_one() -> None:
    names = ("decoder.embedding", REST, "decoder.0.self_attn.z.1")
    against = word_panel.finding(0, 1, 0.5, Terms(names, np.array([-4, 1, 3.5])))
    assert re.search(r"against it: \*\*.+, .4\.00\*\*\. .+ for it: \*\*.+, \+3\.50\*\*", against)
    assert "against it" in word_panel.finding(0, None, -0.5, Terms(names, np.array([4, -1, -3.5])))
    assert "against it" not in word_panel.finding(0, 1, 1.5, Terms(names, np.array([4, 1, -3.5])))


@pytest.mark.parametrize("sentence", ["a", "<b>你好</b> *$x$*"])
def test_odd_sentences_raise_nothing(open_page: OpenPage, sentence: str) -> None:
    for view in ("the parts of a score", "who wrote this word", "one word, two meanings"):
        assert not open_page("why", sentence=sentence, why=view).exception


def test_what_is_said_of_two_meanings_is_what_the_translations_show(open_page: OpenPage) -> None:
    page = open_page("why", why="one word, two meanings")
    for example in (OURS.meanings[0], OURS.meanings[-1]):
        page.pills(key="word").set_value(example.word).run()
        assert not page.exception
        french = [runs.run(text).translation.text for text in example.sentences]
        told = all(example.told_apart(french))
        assert ("Translated as two meanings" in said(page)) == told
        assert ("**Not** translated as two meanings" in said(page)) != told
        one, other = (runs.run(text).recording for text in example.sentences)
        here, there = (place_of(example.word, each.source_tokens) for each in (one, other))
        compared = likeness(one.stream("encoder"), other.stream("encoder"), (here, there))
        assert f"cosine **{compared.same[0]:.2f}**" in said(page)
        assert f", **{compared.same[-1]:.2f}**." in said(page)
    page.text_input[-1].set_value("Thank you.").run()
    assert "as a piece of its own" in page.info[0].value


def test_the_shipped_model_tells_most_of_the_meanings_apart() -> None:
    told = [
        all(one.told_apart([runs.run(text).translation.text for text in one.sentences]))
        for one in OURS.meanings
    ]
    assert sum(told) >= len(OURS.meanings) / 2


def test_a_word_of_ones_own_is_compared_in_two_sentences(open_page: OpenPage) -> None:
    page = open_page("why", why="one word, two meanings")
    page = page.button_group(key="word").set_value("a word of your own").run()
    assert any("Type a word" in one.value for one in page.info)
    page = page.text_input(key="own meaning").set_value("light").run()
    assert not page.exception
    assert "Write two sentences" in page.info[0].value  # at first both are the word alone
    assert not page.get("plotly_chart")
    boxes = [one for one in page.text_input if (one.key or "").startswith("meaning light")]
    boxes[0].set_value("The light is on.")
    page = boxes[1].set_value("This bag is light.").run()
    assert not page.exception
    assert page.get("plotly_chart")
    assert "two meanings:" not in said(page)


@pytest.mark.parametrize("word", ["Xylophonists", "two words", "**x**<b>", "🦉"])
def test_a_word_of_several_pieces_is_refused_with_a_sentence(
    open_page: OpenPage, word: str
) -> None:
    page = open_page("why", why="one word, two meanings")
    page = page.button_group(key="word").set_value("a word of your own").run()
    page = page.text_input(key="own meaning").set_value(word).run()
    assert not page.exception
    assert "as one piece: choose another word" in page.info[0].value
