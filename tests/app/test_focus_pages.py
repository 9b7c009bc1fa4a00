"""What is chosen on one page is shown on the next."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tests.app.conftest import OpenPage, start
from tests.app.shown import components, head_picked, message
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import openings, runs

PART = "layers"
BANK = EXAMPLES["the bank"]


def go(app: AppTest, page: str) -> AppTest:
    """Go to another page by the navigation: of the link, what widgets of all pages hold is left."""
    app._page_hash = calc_hash(page)
    for name in set(app.query_params) - {"sentence"}:
        del app.query_params[name]
    app.run()
    assert not app.exception
    return app


def component(app: AppTest, name: str) -> dict[str, Any]:
    """Return what a component was told."""
    found = [one for one in components(app) if one.proto.component_name == name]
    assert found, f"no {name} on the page"
    return message(found[0])


def head_of(app: AppTest) -> tuple[str, str, str]:
    """Return the head that a page's boards mark."""
    picked = head_picked(app)
    return picked["kind"], picked["layer"], picked["head"]


def link(app: AppTest) -> dict[str, str]:
    """Return the parameters of the link that are about the focus."""
    names = ("kind", "layer", "head", "query", "word", "step")
    return {name: parameter(app, name) for name in names if name in app.query_params}


def parameter(app: AppTest, name: str) -> str:
    """Return a parameter of the link."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[-1]


@pytest.fixture(scope="module")
def visitor() -> AppTest:
    """Somebody who chose a head and a query."""
    head = {"kind": "cross", "layer": "3", "head": "5"}
    return start("head", **head, query="6", sentence=BANK, edits="zero.e.1.1")


CHOSEN = {"kind": "cross", "layer": "3", "head": "5", "step": "6"}
WITH_CONTROLS = ("head", "lab_masks", "lab_heads", "lab_scale", "lab_pairs")


@pytest.mark.parametrize("page", WITH_CONTROLS)
def test_the_head_of_one_page_is_shown_on_the_next(visitor: AppTest, page: str) -> None:
    assert head_of(go(visitor, page)) == ("cross", "3", "5")
    assert link(visitor) == CHOSEN


def test_the_step_is_shown_on_the_pages_that_have_one(visitor: AppTest) -> None:
    assert component(go(visitor, "head"), "head_chain")["query"] == 5
    view = component(go(visitor, "decoder"), "step_decoder")["view"]
    assert (view["step"], view["attention_layer"], view["attention_head"]) == (6, 2, 4)
    layers = go(visitor, "layers")
    assert component(layers, "architecture")["chosen"] == "decoder.2.cross_attn.out"
    layers.segmented_control(key=PART).set_value("one token").run()
    assert component(layers, "token_row")["chosen"] == 5
    recurrent = start("recurrent", ancestors="one step", step="6", sentence=BANK)
    assert component(recurrent, "token_row")["chosen"] == 5
    assert link(visitor) == CHOSEN


def test_a_word_is_shown_on_the_pages_that_have_one() -> None:
    app = start("tokens", tokens="neighbours", word="3", sentence=BANK)
    assert component(app, "token_row")["chosen"] == 2
    app = start("head", kind="encoder", query="3", sentence=BANK)
    assert component(app, "head_chain")["query"] == 2
    layers = go(app, "layers")
    layers.segmented_control(key=PART).set_value("one token").run()
    assert layers.session_state["stack"] == "encoder"
    assert component(layers, "token_row")["chosen"] == 2


def test_what_is_chosen_in_the_decoder_is_chosen_everywhere() -> None:
    app = start("decoder", attention_layer="3", attention_head="5", step="6", sentence=BANK)
    assert head_of(go(app, "head")) == ("cross", "3", "5")
    assert link(app) == CHOSEN


def test_a_mean_in_the_decoder_is_no_head(open_page: OpenPage) -> None:
    app = open_page("decoder", attention_layer="mean", attention_head="5", step="2")
    assert link(app) == {"step": "2"}
    view = component(app, "step_decoder")["view"]
    assert (view["attention_layer"], view["attention_head"]) == (None, 4)


def test_another_sentence_keeps_the_head_and_drops_the_step() -> None:
    app = start("head", kind="cross", layer="3", head="5", query="6", sentence=BANK)
    app.text_input(key="sentence").set_value(FIRST_SENTENCE).run()
    assert link(app) == {"kind": "cross", "layer": "3", "head": "5"}
    assert component(app, "head_chain")["query"] == openings.opening(FIRST_SENTENCE).step


@pytest.mark.parametrize("sentence", [FIRST_SENTENCE, BANK])
def test_pages_open_where_something_is_to_be_seen(sentence: str) -> None:
    first = openings.opening(sentence)
    layer, head = first.head(first.kind)
    on_screen = (first.kind, str(layer + 1), str(head + 1))
    assert on_screen != ("encoder", "1", "1")
    app = start("head", sentence=sentence)
    (mixing,) = openings.mixing(sentence)
    assert head_of(app) == (mixing.kind, str(mixing.layer + 1), str(mixing.head + 1))
    assert component(app, "head_chain")["query"] == mixing.query
    weights = runs.run(sentence).recording.attention(mixing.kind)
    row = np.sort(weights[mixing.layer, mixing.head, mixing.query])
    assert row[-3] > 0.06  # there is something to mix
    layers = go(app, "layers")
    assert component(layers, "architecture")["chosen"] == "encoder.memory"
    layers.segmented_control(key=PART).set_value("one token").run()
    assert component(layers, "token_row")["chosen"] == first.query
    view = component(go(app, "decoder"), "step_decoder")["view"]
    assert (view["attention_layer"], view["attention_head"]) == first.head("cross")
    assert view["step"] == first.step + 1
    assert head_of(go(app, "lab_scale")) == on_screen


def test_a_change_may_leave_fewer_queries_than_the_one_that_mixes() -> None:
    sentence = EXAMPLES["the quick"]
    (mixing,) = openings.mixing(sentence)
    hidden = f"hide.1-{len(runs.run(sentence).source.tokens) - 1}"
    chain = component(start("head", sentence=sentence, edits=hidden), "head_chain")
    assert chain["query"] == len(chain["queries"]) - 1 < mixing.query


def test_nothing_is_in_the_link_while_nothing_is_chosen(open_page: OpenPage) -> None:
    for page in ("head", "layers", "lab_masks"):
        assert link(open_page(page)) == {}


def test_edits_of_another_sentence_are_not_applied_in_a_new_session() -> None:
    app = start("lab_masks", sentence=BANK, edits="hide.2-2_zero.e.1.1")
    tied = parameter(app, "edits")
    again = start("lab_masks", sentence=BANK, edits=tied)
    assert len(again.session_state["edits"]) == 2
    other = start("lab_masks", sentence=FIRST_SENTENCE, edits=tied)
    assert len(other.session_state["edits"]) == 1
    assert "named places in it" in other.info[0].value
    assert parameter(other, "edits") == "zero.e.1.1"
