"""The page that compares two sentences, without a browser, on the shipped checkpoint."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import components, head_picked, message
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import pairs, runs
from viz.compute.other_word import second_for
from viz.pages.lab_pairs import views

WIDE = EXAMPLES["too wide"]


def texts(page: AppTest) -> str:
    return "\n".join(element.value for element in (*page.markdown, *page.caption))


def test_the_sentence_above_can_be_taken_over_and_edited(open_page: OpenPage) -> None:
    page = open_page("lab_pairs", sentence="Thank you.", second=WIDE)
    page.button(key="copy first").click().run()
    assert page.text_input(key="second").value == "Thank you."
    assert "the same" in page.info[0].value


def test_the_second_sentence_follows_the_one_above_until_it_is_typed(open_page: OpenPage) -> None:
    page = open_page("lab_pairs", sentence="My brother is tired.")
    assert page.text_input(key="second").value == second_for("My brother is tired.")
    page.text_input(key="sentence").set_value("The man sold his car.").run()
    assert page.text_input(key="second").value == second_for("The man sold his car.")
    page.text_input(key="second").set_value("The man sold my car.").run()
    page.text_input(key="sentence").set_value("The man sold her car.").run()
    assert page.text_input(key="second").value == "The man sold my car."
    assert not page.exception


def pair_cards(page: AppTest) -> dict[str, Any]:
    found = [one for one in components(page) if one.proto.component_name == "pair_cards"]
    return message(found[0])


def test_a_pair_names_its_words_and_its_second_sentence_stands_in_the_link(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_pairs", second=WIDE)
    assert not page.exception
    told = pair_cards(page)
    assert told["head"].startswith("encoder 6.")
    tops = [card["arcs"][0] for card in told["cards"]]
    words = [{place: text for place, text, *_ in card["lines"]["source"]} for card in told["cards"]]
    assert [words[at][arc["from"][1]] for at, arc in enumerate(tops)] == ["it", "it"]
    assert [words[at][arc["to"][1]] for at, arc in enumerate(tops)] == ["animal", "street"]
    assert [card["odds"][at][0] for at, card in enumerate(told["cards"])] == ["il", "elle"]
    assert "**it** looks at **animal** and **il** is written" in texts(page)
    assert len(page.get("plotly_chart")) == 3
    page.text_input(key="second").set_value("").run()
    assert not page.exception
    assert page.info


def test_a_pair_opens_on_the_head_that_moved_most_unless_the_link_names_one(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_pairs", second=WIDE)
    picked = head_picked(page)
    first = next(one.label for one in page.button if (one.key or "").startswith("moved "))
    assert first.startswith(f"{picked['kind']} {picked['layer']}.{picked['head']} ")
    named = open_page("lab_pairs", second=WIDE, kind="decoder", layer="2", head="3")
    assert head_picked(named) == {"kind": "decoder", "layer": "2", "head": "3"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("She gave him the book because he asked.", "She sold him the book because he asked."),
        ("Hello", WIDE),
    ],
)
def test_a_pair_is_decided_where_its_own_translations_part(first: str, second: str) -> None:
    compared = pairs.pair(first, second)
    ids = [side.run.translation.ids for side in (compared.first, compared.second)]
    step = len(compared.prefix) - 1
    assert ids[0] != ids[1]
    assert compared.decision is not None
    assert ids[0][:step] == ids[1][:step]
    assert (compared.decision.first, compared.decision.second) == (ids[0][step], ids[1][step])


def test_translations_that_are_the_same_are_compared_at_their_pronoun() -> None:
    compared = pairs.pair(FIRST_SENTENCE, FIRST_SENTENCE)
    assert compared.first.run.translation.ids == compared.second.run.translation.ids
    assert set(compared.pieces) == {"il", "elle"}


def test_another_pair_opens_at_its_own_row(open_page: OpenPage) -> None:
    big, small = (
        f"The trophy didn't fit in the suitcase because it was too {size}."
        for size in ("big", "small")
    )
    alone = open_page("lab_pairs", sentence=big, second=small)
    page = open_page("lab_pairs", second=WIDE)
    page.selectbox(key="pair query").set_value(3).run()
    page.text_input(key="sentence").set_value(big).run()
    page.text_input(key="second").set_value(small).run()
    assert page.selectbox(key="pair query").value == alone.selectbox(key="pair query").value != 3
    assert pair_cards(page)["head"] == pair_cards(alone)["head"]


def test_the_same_sentence_twice_is_no_pair_but_no_error(open_page: OpenPage) -> None:
    page = open_page("lab_pairs", sentence="Thank you.", second="Thank you.")
    assert not page.exception
    assert "the same" in page.info[0].value
    assert not page.get("plotly_chart")


def test_a_pair_that_masks_make_alike_says_that_no_head_moved(open_page: OpenPage) -> None:
    first, second = "She sees him.", "She sees them."
    place = runs.run(first).source.tokens.index("▁him") + 1
    page = open_page("lab_pairs", sentence=first, second=second, edits=f"hide.{place}-{place}")
    page.selectbox(key="pair query").set_value(0).run()
    assert not page.exception
    assert "the same in both sentences" in texts(page)
    assert [len(card["odds"]) for card in pair_cards(page)["cards"]] == [2, 2]


def test_a_head_that_is_off_explains_nothing_and_the_pronouns_stay_compared(
    open_page: OpenPage,
) -> None:
    plain = open_page("lab_pairs", second=WIDE)
    head = head_picked(plain)
    off = open_page(
        "lab_pairs", second=WIDE, edits=f"zero.e.{head['layer']}.{head['head']}", **head
    )
    assert not off.exception
    told, before = pair_cards(off), pair_cards(plain)
    assert told["off"]
    assert not before["off"]
    names = [
        [piece for piece, _share in card["odds"]] for card in (*before["cards"], *told["cards"])
    ]
    assert names == [names[0]] * 4  # the pieces of the trained model, whatever is written now
    (line,) = [line for line in texts(off).splitlines() if " is off" in line]
    assert line.startswith(f"**encoder {head['layer']}.{head['head']}**")
    assert "looks" not in line


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ((0.9, 0.1), (0.1, 0.9), "still"),
        ((0.9, 0.1), (0.8, 0.1), "likelier in both"),
        ((0.1, 0.9), (0.9, 0.1), "exchanged"),
        ((0.15, 0.14), (0.14, 0.15), "about level"),
    ],
)
def test_what_became_of_the_two_pieces_follows_from_their_probabilities(
    first: tuple[float, float], second: tuple[float, float], said: str
) -> None:
    pair = replace(pairs.pair(FIRST_SENTENCE, WIDE), changed=True)
    sides = (replace(pair.first, likely=first), replace(pair.second, likely=second))
    finding = views.finding(replace(pair, first=sides[0], second=sides[1]), None, (None, None))
    assert said in finding
    likelier = [pair.pieces[int(two > one)].strip("▁") for one, two in (first, second)]
    assert all(f"**{piece}**" in finding for piece in likelier)
