import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load_translator
from model.measures.vocabulary import learned
from tests.app.conftest import OpenPage
from viz.compute import vocabulary

VIEWS = (
    *("pieces", "other cuts", "learning pieces", "a limit of length"),
    *("embedding", "neighbours", "map"),
)


def drawn(page: AppTest, number: int = 0) -> dict[str, Any]:
    """A plotly figure on the page."""
    return json.loads(page.get("plotly_chart")[number].proto.spec)


def html(page: AppTest) -> str:
    return "".join(element.proto.body for element in page.get("html"))


def test_pieces_come_with_ids_and_the_sentence_they_cut(open_page: OpenPage) -> None:
    page = open_page("tokens", sentence="The street.")
    cards = html(page)
    assert "·street" in cards
    assert ">street</span>" in cards
    assert any("Every character here has a piece" in caption.value for caption in page.caption)


def test_a_rare_character_is_spelt_in_bytes(open_page: OpenPage) -> None:
    page = open_page("tokens", sentence="The street.", rare="🦉")
    assert html(page).count("dashed") == 4
    assert "F0 9F A6 89" in page.info[0].value


@pytest.mark.parametrize("character", ["\\", "`", "^"])
def test_a_rare_mark_of_markdown_is_shown_as_it_is(open_page: OpenPage, character: str) -> None:
    page = open_page("tokens", model="en-fr-dot", sentence=f"The {character} street.")
    point = f"(U+{ord(character):04X})"
    said = [one.value for one in page.info if point in one.value]
    shown = character if character == "^" else f"\\{character}"
    assert [one.partition(" ")[0] for one in said] == [f"**{shown}**"]


def test_as_many_cuts_as_asked_for(open_page: OpenPage) -> None:
    figure = drawn(open_page("tokens", tokens="other cuts", ways="9"))
    assert len(figure["layout"]["yaxis"]["ticktext"]) == 9


def test_one_word_can_be_cut_alone(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="other cuts", sentence="The quick street.", cut="quick")
    texts = [text for bar in drawn(page)["data"] for text in bar["text"]]
    assert all("street" not in text for text in texts)
    assert "".join(texts).count("q") >= 2


def test_a_link_chooses_the_piece(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="embedding", sentence="The street.", word="2")
    assert "PE(1)" in drawn(page)["layout"]["yaxis"]["ticktext"]
    page = open_page("tokens", tokens="embedding", sentence="The street.", word="99")
    assert "PE(1)" in drawn(page)["layout"]["yaxis"]["ticktext"]  # there is none: the longest word


@pytest.mark.parametrize(
    ("sentence", "place"), [("Thinking machines", 0), ("I don't know him.", 4)]
)
def test_the_vectors_open_on_a_word_and_not_on_a_part_of_one(
    open_page: OpenPage, sentence: str, place: int
) -> None:
    page = open_page("tokens", tokens="embedding", sentence=sentence)
    assert f"PE({place})" in drawn(page)["layout"]["yaxis"]["ticktext"]


def test_a_french_piece_can_be_chosen(open_page: OpenPage) -> None:
    english = drawn(open_page("tokens", tokens="neighbours", word="2"))
    french = drawn(open_page("tokens", tokens="neighbours", step="2", pieces_of="target"))
    assert english["layout"]["yaxis"]["ticktext"] != french["layout"]["yaxis"]["ticktext"]


def test_the_number_of_neighbours_can_be_chosen(open_page: OpenPage) -> None:
    figure = drawn(open_page("tokens", tokens="neighbours", near="7"))
    assert len(figure["layout"]["yaxis"]["ticktext"]) == 7


def test_without_neighbours_the_map_shows_the_sentences_alone(open_page: OpenPage) -> None:
    def count(around: str) -> int:
        figure = drawn(open_page("tokens", tokens="map", around=around))
        return sum(len(trace.get("text", ())) for trace in figure["data"])

    assert 0 < count("0") < count("2")


def test_nonsense_in_the_link_opens_the_first_view(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="nonsense", rare="x", pieces_of="neither", near="-3")
    assert not page.exception
    assert "·animal" in html(page)


def test_a_larger_vocabulary_cuts_the_sentence_into_fewer_pieces(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="learning pieces", sentence="The cat is sleeping.")
    assert not page.exception
    drawn = json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0]
    assert list(drawn["y"]) == sorted(drawn["y"], reverse=True)
    found = learned(vocabulary.example_text(), "bpe", drawn["x"][-1], 1)
    assert sum(one.count for one in found.pieces) == drawn["y"][-1]


def test_a_visitors_own_text_is_learned_from_and_stays_text(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="learning pieces", sentence="<b>lower</b>")
    page.text_area(key="vocabulary text").set_value("low lower lowest\nlow low low").run()
    assert not page.exception
    assert "<b>" not in html(page).replace('<b style="font-size:15px">', "")
    assert "low" in " ".join(page.dataframe[0].value["piece"])
    page.text_area(key="vocabulary text").set_value(" ").run()
    assert not page.exception
    assert any("too little in it" in one.value for one in page.info)


@pytest.mark.parametrize("model", ["en-fr", "zh-en", "en-fr-dot"])
def test_what_does_not_fit_the_slots_is_lost(open_page: OpenPage, model: str) -> None:
    sentence = "我不知道他为什么哭。" if model == "zh-en" else "I do not know why he cried."
    page = open_page(
        "tokens", tokens="a limit of length", slots="4", sentence=sentence, model=model
    )
    assert not page.exception
    lost = len(load_translator(model).source(sentence).ids) - 4
    assert any(f"Lost: **{lost}**" in one.value for one in page.markdown)


def test_a_unigram_vocabulary_is_pruned_round_by_round(open_page: OpenPage) -> None:
    page = open_page(
        "tokens", tokens="learning pieces", taught="unigram, round by round", size="90"
    )
    assert not page.exception
    found, last = vocabulary.pruned(vocabulary.example_text(), 90, 1)
    table = page.dataframe[0].value
    assert table["pieces before"].tolist() == [one.before for one in found]
    said = " ".join(each.value for each in page.markdown)
    assert f"fill up the {len(last)}" in said
    board = "".join(one.proto.body for one in page.get("html"))
    for one in found:
        assert f">{len(one.scores)}</b>" in board
    page.text_area(key="vocabulary text").set_value(" ").run()
    assert not page.exception
    assert "too little in it" in page.info[0].value


def test_a_strip_with_stronger_colours_is_said_to_have_them(open_page: OpenPage) -> None:
    page = open_page("tokens", tokens="embedding", sentence="The street.", word="2")
    (first, *others) = drawn(page)["layout"]["yaxis"]["ticktext"]
    factor = first.partition("(colours × ")[2].rstrip(")")
    assert factor
    assert not any("colours" in label for label in others)
    told = " ".join(each.value for each in page.markdown)
    assert f"{factor} times as strong" in told


def test_a_mark_of_a_space_that_is_a_piece_by_itself_is_said(open_page: OpenPage) -> None:
    marked = open_page("tokens", sentence="WHY ARE YOU SHOUTING AT ME")
    plain = open_page("tokens", sentence="The unbelievableness.")
    told = [" ".join(each.value for each in page.markdown) for page in (marked, plain)]
    assert ["the mark of the space before it" in text for text in told] == [True, False]


@pytest.mark.parametrize("edits", ["", "scale.e.0.0", "shift.e.5", "shift.d.5"])
def test_a_position_that_was_changed_is_not_called_by_its_place(
    open_page: OpenPage, edits: str
) -> None:
    page = open_page("tokens", tokens="embedding", sentence="The street.", word="2", edits=edits)
    assert not page.exception
    moved = ".e." in edits
    lengths, total = (one.value for one in page.latex)
    assert (r"\sqrt{256 / 2}" in lengths) == ("PE(1)" in lengths) == ("PE(1)" in total) != moved
    drowns = any("drown the piece" in one.value for one in page.markdown)
    assert drowns == ("scale" not in edits)
