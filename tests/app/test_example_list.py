"""The list of examples in the top bar: what it tells, what a press does, and whether it is true."""

import re

import pytest

from model.checkpoints.examples import Example
from tests.app.conftest import OpenPage
from tests.app.shown import message
from tests.sentences import EXAMPLES, OURS
from viz.compute.runs import Subject, run
from viz.link.table import parameter
from viz.shell.lessons import measures
from viz.shell.lessons.format import OPERATORS, Condition
from viz.shell.top_bar.example_list import groups, link_of

_CONDITION = re.compile(rf"(.+)\s+({'|'.join(OPERATORS)})\s+(.+)")
ALL = pytest.mark.parametrize("example", OURS.sentences, ids=lambda one: one.text)


def told(page: object) -> dict[str, object]:
    found = page.get("bidi_component")  # pyrefly: ignore[missing-attribute]
    (one,) = [each for each in found if each.proto.component_name == "example_list"]
    return message(one)


@ALL
def test_what_an_example_says_is_true_of_the_shipped_model(example: Example) -> None:
    assert example.expect, "nobody checks what it says"
    for text in example.expect:
        found = _CONDITION.fullmatch(text)
        assert found, text
        condition = Condition(found[1], found[2], found[3], 0)
        value = measures.written(condition.measure, Subject(example.text))
        assert measures.holds(condition, Subject(example.text)), f"{text}: it is {value}"


@ALL
def test_its_link_leads_to_the_head_and_the_token_that_it_speaks_of(example: Example) -> None:
    offer = link_of(example)
    assert offer is not None
    says = offer["says"]
    assert isinstance(says, dict)
    place = "word" if says["kind"] == "encoder" else "step"
    head = f"{says['kind']} {says['layer']}.{says['head']}"
    assert any(f"{head} from" in text for text in example.expect)
    # The condition about the place names the word that the line speaks of, in quotes.
    form = {"word": r"place of (\S+) is (\d+)", "step": r"row of (\S+) is (\d+)"}[place]
    (found,) = [match for text in example.expect if (match := re.fullmatch(form, text))]
    assert says[place] == found[2]
    assert f"“{found[1]}”" in example.look
    recording = run(example.text).recording
    size = len(recording.source_tokens if place == "word" else recording.target_tokens)
    assert 1 <= int(found[2]) <= size
    assert parameter(place).sense(found[2]) == int(found[2]) - 1


def test_there_are_twenty_by_phenomenon_each_with_a_line_and_a_translation_by_a_person() -> None:
    assert len(OURS.sentences) >= 20
    assert len({one.text for one in OURS.sentences}) == len(OURS.sentences)
    assert len({one.shows for one in OURS.sentences}) >= 15
    assert all(one.look and one.link and one.reference for one in OURS.sentences)
    both = [one.text for one in OURS.sentences if "animal" in one.text and "street" in one.text]
    assert both == [EXAMPLES["too tired"], EXAMPLES["too wide"]]


def test_the_list_has_a_group_for_each_phenomenon_and_links_that_take_the_sentence(
    open_page: OpenPage,
) -> None:
    sent = told(open_page("tokens"))
    text = sent["text"]
    assert isinstance(text, str)
    assert text.count('"look"') > len(OURS.sentences)
    titles = [group["title"] for group in groups(OURS.sentences)]
    assert titles[:2] == ["A pronoun", "Two meanings"]
    assert len(set(titles)) == len(titles)


def test_a_link_that_this_app_does_not_have_is_left_out() -> None:
    assert link_of(Example("a", link="nowhere?kind=cross")) is None
    assert link_of(Example("a", link="attention?colour=red")) is None
    assert link_of(Example("a")) is None
    assert groups([Example("a")]) == [
        {"title": "", "cards": [{"place": 0, "text": "a", "look": "", "link": None}]}
    ]
