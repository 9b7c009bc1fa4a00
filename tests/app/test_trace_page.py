"""The page Trace without a browser, on the shipped checkpoint."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import PatchActivation, SetAttention, TurnAttention
from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import runs, traces

WIDE = EXAMPLES["too wide"]
IT, STREET = 11, 8


def shown(page: AppTest, name: str) -> dict[str, Any]:
    found = [one for one in components(page) if one.proto.component_name == name]
    return message(found[0])


def said(page: AppTest) -> str:
    return "\n".join(one.value for one in (*page.markdown, *page.caption, *page.info))


def test_the_map_says_where_the_answer_passes(open_page: OpenPage) -> None:
    page = open_page("trace", second=WIDE)
    assert not page.exception
    told = shown(page, "trace_map")
    assert told["rivals"] == ["il", "elle"]
    (il, elle), (il_there, elle_there) = (one["likely"] for one in told["answers"])
    assert il > 0.5 > elle
    assert elle_there > 0.5 > il_there
    encoder, decoder = told["maps"]
    values = np.array(encoder["values"])
    assert values.shape == (17, 7)
    expected = traces.trace(FIRST_SENTENCE, WIDE).encoder
    np.testing.assert_allclose(values, expected, atol=1e-4)
    assert decoder["rows"][-1].endswith("il / elle")
    assert told["pressable"]
    assert "il or elle?" in said(page)


def test_a_carried_vector_is_a_change_like_all_others(open_page: OpenPage) -> None:
    donor = "The~animal~didn-27-t~cross~the~street~because~it~was~too~wide-2e-"
    page = open_page("trace", second=WIDE, edits=f"patch.e~memory.{IT + 1}.all.{donor}")
    assert not page.exception
    patch = PatchActivation("encoder.memory", IT, WIDE)
    assert page.session_state["edits"] == (patch,)
    chips = [button.label for button in page.button if (button.key or "").startswith("chip ")]
    assert [chip.replace("\\", "") for chip in chips] == [
        "memory: “it” from “… because it was too wide.” ✕"
    ]
    told = shown(page, "trace_map")
    assert told["maps"][0]["on"] == [[IT, 6]]
    changed = told["answers"][-1]["likely"]
    recording = runs.run(FIRST_SENTENCE, (patch,)).recording
    found = traces.answer(recording, traces.trace(FIRST_SENTENCE, WIDE))
    assert changed == pytest.approx([found.first, found.second], abs=1e-4)
    assert "elle" in runs.run(FIRST_SENTENCE, (patch,)).translation.text


def test_heads_are_shown_at_one_piece(open_page: OpenPage) -> None:
    page = open_page("trace", second=WIDE, traced="By head", carried="k")
    assert not page.exception
    maps = shown(page, "trace_map")["maps"]
    assert [one["name"] for one in maps] == ["encoder", "decoder", "cross"]
    assert all(np.shape(one["values"]) == (6, 8) for one in maps)
    assert [one["title"].partition(", at ")[2] for one in maps] == ["·it", "'", "·it"]
    last = len(runs.run(FIRST_SENTENCE).recording.target_tokens)  # no query comes after it
    links = json.loads(shown(page, "trace_map")["heads"])["links"]
    assert links["encoder"] == [None, IT]  # a key, of whatever query
    assert links["cross"][1] == IT
    assert links["decoder"][0] == links["decoder"][1] == links["cross"][0] < last


def test_another_sentence_is_traced_at_its_own_piece(open_page: OpenPage) -> None:
    big, small = (
        f"The trophy didn't fit in the suitcase because it was too {size}."
        for size in ("big", "small")
    )
    alone = open_page("trace", sentence=big, second=small, traced="By head")
    page = open_page("trace", second=WIDE, traced="By head")
    page.selectbox(key="piece").set_value(2).run()
    page.text_input(key="sentence").set_value(big).run()
    page.text_input(key="second").set_value(small).run()
    assert page.selectbox(key="piece").value == alone.selectbox(key="piece").value != 2


def test_a_head_of_the_map_leads_to_where_else_it_looks_like_this(open_page: OpenPage) -> None:
    page = open_page("trace", second=WIDE, traced="By head", carried="z")
    told = json.loads(shown(page, "trace_map")["heads"])
    assert told["links"]["encoder"] == [IT, None]
    kind, layer, head = told["first"]
    best = max(
        np.abs(np.array(one["values"], dtype=float)).max()
        for one in shown(page, "trace_map")["maps"]
    )
    own = next(one for one in shown(page, "trace_map")["maps"] if one["name"] == kind)
    assert abs(own["values"][layer][head]) == best
    assert told["names"][kind][layer][head] == f"{kind} {layer + 1}.{head + 1}"
    assert told["offers"]["alike"]["page"] == "atlas"
    assert not shown(open_page("trace", second=WIDE), "trace_map")["heads"]


def test_restored_cells_are_only_read(open_page: OpenPage) -> None:
    page = open_page("trace", second=WIDE, direction="restore this one")
    told = shown(page, "trace_map")
    assert not told["pressable"]
    assert told["maps"][0]["values"][IT][-1] < 0.5


def test_weights_are_set_by_a_press(open_page: OpenPage) -> None:
    query = {"kind": "encoder", "layer": "6", "head": "4", "word": str(IT + 1)}
    page = open_page("trace", second=WIDE, traced="Set the weights", **query)
    assert not page.exception
    own = runs.run(FIRST_SENTENCE).recording.attention("encoder")[5, 3, IT]
    np.testing.assert_allclose(shown(page, "weight_bars")["weights"], own, atol=1e-6)
    button = next(one for one in page.button if one.label == "As in the other sentence")
    page = button.click().run()
    (one,) = page.session_state["edits"]
    assert isinstance(one, SetAttention)
    assert (one.kind, one.layer, one.head, one.query) == ("encoder", 5, 3, IT)
    there = runs.run(WIDE).recording.attention("encoder")[5, 3, IT]
    np.testing.assert_allclose(one.weights, there, atol=1e-3)
    assert sum(one.weights) == pytest.approx(1)
    page = next(one for one in page.button if one.label == "As the model has it").click().run()
    assert page.session_state["edits"] == ()


def test_a_turned_arc_is_a_change_with_the_answer_of_each_key(open_page: OpenPage) -> None:
    turn = TurnAttention("encoder", IT, (STREET,), ((5, 3),))
    query = {"kind": "encoder", "layer": "6", "head": "4", "word": str(IT + 1)}
    edits = {"edits": f"turn.e.{IT + 1}.{STREET + 1}.6-4"}
    page = open_page("trace", second=WIDE, traced="Set the weights", **query, **edits)
    assert not page.exception
    assert page.session_state["edits"] == (turn,)
    told = shown(page, "weight_bars")
    assert [place for place, weight in enumerate(told["weights"]) if weight] == [STREET]
    assert told["query"] == IT
    changed = shown(page, "trace_map")["answers"][-1]["likely"]
    np.testing.assert_allclose(told["turned"][STREET], changed, atol=1e-5)
    page = next(one for one in page.button if one.label == "As the model has it").click().run()
    assert page.session_state["edits"] == ()


def test_what_cannot_be_traced_is_said(open_page: OpenPage) -> None:
    for second in (FIRST_SENTENCE, ""):
        page = open_page("trace", second=second)
        assert not page.exception
        assert "Nothing to trace" in said(page)


def test_a_long_sentence_is_traced_at_a_press(open_page: OpenPage) -> None:
    before = "My sister and my brother went to the market in the town, " * 3
    first, second = (f"{before}and the {end}" for end in ("cat was tired.", "street was wide."))
    page = open_page("trace", sentence=first, second=second)
    assert not page.exception
    assert not components(page)
