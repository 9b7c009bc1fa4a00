import json
import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.card import load_card
from model.transformer.config import POSITIONS, Positions
from tests.app.conftest import OpenPage
from tests.app.shown import views
from viz.compute import models, positions, runs
from viz.pages.positions.encoding_panels import of_the_model
from viz.pages.positions.table import wavelengths

VIEWS = ("curves", "table", "dot products", "shift by k", "added or joined")


def drawn(page: AppTest) -> dict[str, Any]:
    """The plotly figure on the page."""
    return json.loads(page.get("plotly_chart")[0].proto.spec)


def sent(page: AppTest) -> bytes:
    """The message to the clocks on the page."""
    found = [one for one in page.get("bidi_component") if one.proto.component_name == "clocks"]
    return found[0].proto.bytes if found else b""


def texts(page: AppTest) -> str:
    return " ".join(one.value for one in (*page.markdown, *page.caption))


def titles(figure: dict[str, Any]) -> list[str]:
    return [note["text"] for note in figure["layout"].get("annotations", ())]


@pytest.mark.parametrize("width", ["8", "16", "512"])
@pytest.mark.parametrize("view", VIEWS[:4])
def test_every_view_takes_the_settings(open_page: OpenPage, view: str, width: str) -> None:
    settings = {"width": width, "base": "100", "length": "8", "layout": "two halves"}
    page = open_page("positions", positions=view, **settings)
    assert not page.exception
    before = open_page("positions", positions=view)
    if view == "curves":
        assert sent(page) != sent(before)
    else:
        assert drawn(page)["data"] != drawn(before)["data"]


def test_a_shift_below_zero_is_written_with_a_minus_sign(open_page: OpenPage) -> None:
    slider = open_page("positions", positions="shift by k", k="-7").select_slider(key="k")
    assert slider.value == -7
    assert slider.options[0] == "\u221232"
    page = slider.set_value(0).run()
    assert (page.select_slider(key="k").value, page.query_params["k"]) == (0, "0")
    again = open_page("positions", positions="shift by k", k="much").select_slider(key="k")
    assert again.value == 3


def test_dimensions_of_the_link_are_drawn(open_page: OpenPage) -> None:
    page = open_page("positions", dimensions="3")
    assert b'"dimensions":[2,3],"chosen":[false,true]' in sent(page)


def test_dimensions_that_a_smaller_width_has_not_are_dropped(open_page: OpenPage) -> None:
    page = open_page("positions")
    page.multiselect(key="dimensions").set_value(["2", "200"]).run()
    page.select_slider(key="width").set_value(16).run()
    assert not page.exception
    assert page.multiselect(key="dimensions").value == ["2"]


def test_both_layouts_stand_side_by_side(open_page: OpenPage) -> None:
    page = open_page("positions", positions="table")
    assert titles(drawn(page)) == ["interleaved"]
    page.toggle(key="both").set_value(True).run()
    assert titles(drawn(page)) == ["interleaved", "two halves"]


@pytest.mark.parametrize(("length", "used"), [("8", 8), ("64", 17)])
def test_no_more_positions_are_used_than_are_drawn(
    open_page: OpenPage, length: str, used: int
) -> None:
    page = open_page("positions", length=length)
    assert f"the first {used} positions" in texts(page)
    table = texts(open_page("positions", positions="table", length=length))
    assert ("reaches over all of them" in table) == (used == 8)
    shifted = open_page("positions", positions="shift by k", length=length)
    assert f"This one moves all {length}, to within" in texts(shifted)


def test_the_shift_is_exact_for_every_position(open_page: OpenPage) -> None:
    page = open_page("positions", positions="shift by k", k="7")
    (worst,) = re.findall(r"to within \*\*([^*]+)\*\*", texts(page))
    assert float(worst.replace("\u2212", "-")) < 1e-12


def test_nonsense_in_the_link_opens_the_first_view(open_page: OpenPage) -> None:
    page = open_page("positions", positions="x", base="7", length="-1", width="y", dimensions="z")
    assert not page.exception
    assert sent(page)


TWINS = ("learned", "rotary", "longer texts")


def said(page: AppTest) -> str:
    return next(one.value for one in page.markdown if one.value.startswith("Query at position"))


def test_a_score_of_the_rotary_twin_is_recomputed_and_stays_when_both_move(
    open_page: OpenPage,
) -> None:
    page = open_page("positions", positions="rotary", query="5", key="2", rotary_head="3")
    assert "Query at position 4, key at 1" in said(page)
    score = said(page).split("score is **")[1].split("**")[0]
    moved = page.select_slider(key="k").set_value(20).run()
    assert f"Query at position 24, key at 21: the score is **{score}**" in said(moved)
    assert any(":green-badge[" in one.value for one in moved.markdown)


def test_the_size_of_the_last_learned_position_is_told(open_page: OpenPage) -> None:
    name = positions.twins()["learned"]
    seen = positions.measured(name).longest_pair
    sizes = abs(positions.table(name)[:seen]).mean(axis=1)
    page = open_page("positions", positions="learned")
    said = next(one.value for one in page.markdown if "that long are rare" in one.value)
    assert f"{sizes[-1]:.2f}" in said
    assert sizes[-1] < sorted(sizes)[seen // 2] / 2


def test_what_a_recurrent_model_copies_stands_beside_the_best_transformer(
    open_page: OpenPage,
) -> None:
    names = {**positions.twins(), "recurrent": positions.recurrent()}
    right = {
        kind: {row.letters: row.right for row in positions.measured(name or "").copies}
        for kind, name in names.items()
    }
    own = right.pop("recurrent")
    page = open_page("positions", positions="longer texts")
    said = next(one.value for one in page.markdown if "needs no positions" in one.value)
    for letters, place in ((20, "rows of 20 letters it puts"), (40, "rows of 40")):
        best = max(twin[letters] for twin in right.values())
        part = said.split(place)[1].split(";")[0]
        assert f"**{own[letters]:.1%}**" in part
        assert f"{best:.1%}" in part
    figure = drawn(page)
    assert "none: recurrent" in {trace["name"] for trace in figure["data"]}


def test_a_model_without_twins_has_none_of_these_views(open_page: OpenPage) -> None:
    page = open_page("positions", model="zh-en", positions="rotary")
    assert not page.exception
    assert not {*map(str.capitalize, TWINS)} & {*views(page)}


def test_twins_with_added_and_joined_positions_are_compared_by_their_cards(
    open_page: OpenPage,
) -> None:
    added, joined = (load_card(models.folder_of(f"en-fr-{end}")) for end in ("thousand", "joined"))
    page = open_page("positions", positions="added or joined")
    (said,) = [text.value for text in page.markdown if text.value.startswith("Two small models")]
    assert f"**{added.bleu('test'):.1f}** BLEU on the test set" in said
    assert f"joined ones the other has **{joined.bleu('test'):.1f}**" in said
    assert f"{added.parameters - joined.parameters:,} weights fewer" in said
    other = open_page("positions", model="zh-en", positions="added or joined")
    assert not any(text.value.startswith("Two small models") for text in other.markdown)


def test_the_sums_that_lie_together_are_listed_by_width_when_they_are_asked_for(
    open_page: OpenPage,
) -> None:
    page = open_page("positions", positions="added or joined")
    assert not page.dataframe
    page.session_state["together"] = True
    page.run()
    assert not page.exception
    widths = list(page.dataframe[0].value.iloc[:, 0])
    assert widths == sorted(widths)
    assert widths[-1] == 256


@pytest.mark.parametrize("width", [8, 64, 256])
@pytest.mark.parametrize("base", [100, 10000])
def test_what_is_said_of_the_base_holds_for_the_width(
    open_page: OpenPage, width: int, base: int
) -> None:
    page = open_page("positions", width=str(width), base=str(base))
    said = re.search(r"with (\d+) even the slowest comes round after (\d+) positions", texts(page))
    assert said
    small, chosen = wavelengths(width, float(said[1])), wavelengths(width, float(base))
    assert float(said[2]) == round(float(small[-1]))
    assert small[0] == chosen[0]  # the first clock turns as fast with every base
    assert (small[1:] <= chosen[1:]).all()


@pytest.mark.parametrize("kind", POSITIONS)
def test_a_model_is_said_to_have_its_own_positions(kind: Positions) -> None:
    config = replace(runs.translator().config, positions=kind)
    said = of_the_model(config)
    assert ("uses 10000" in said) == (kind == "sinusoid")
    assert (f"in {config.d_model // 4} of its {config.d_model}" in said) == (kind == "joined")
    others = {of_the_model(replace(config, positions=one)) for one in POSITIONS if one != kind}
    assert said not in others


def test_without_positions_nothing_is_said_of_their_angle(open_page: OpenPage) -> None:
    page = open_page("positions", positions="added or joined", edits="scale.e.0.0")
    assert not page.exception
    assert "leaves no positions" in page.info[0].value
    assert "have a cosine" not in texts(page)


@pytest.mark.parametrize(
    ("link", "adds"),
    [
        ({}, True),
        ({"length": "8"}, True),
        ({"base": "100"}, False),
        ({"width": "64"}, False),
        ({"layout": "two halves"}, False),
        ({"edits": "shift.e.5"}, False),
        ({"edits": "shift.d.5"}, True),
    ],
)
def test_a_row_is_said_to_be_added_only_if_the_model_adds_it(
    open_page: OpenPage, link: dict[str, str], adds: bool
) -> None:
    message = sent(open_page("positions", **link))
    header = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    assert ("what is added" in header["words"]["added"]) == adds
