"""The page that leaves out the scale, or changes the positions, and its two views."""

import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.interventions.positions import RepeatPosition
from tests.app.conftest import OpenPage
from tests.app.shown import components, message, numbers
from tests.sentences import FIRST_SENTENCE
from viz.compute import runs

VIEWS = ("before and after", "positions side by side")


def drawn(page: AppTest) -> dict[str, Any]:
    """The plotly figure on the page."""
    return json.loads(page.get("plotly_chart")[0].proto.spec)


def titles(figure: dict[str, Any]) -> list[str]:
    return [note["text"] for note in figure["layout"].get("annotations", ())]


def model(open_page: OpenPage, edits: str = "", **parameters: str) -> AppTest:
    named = {"edits": edits} if edits else {}
    return open_page("lab_scale", **{"break": VIEWS[1]}, **named, **parameters)


@pytest.mark.parametrize("stack", ["encoder", "decoder", "both"])
@pytest.mark.parametrize(
    "change", ["scale.{}.0.0", "shuffle.{}.1", "shift.{}.50", "repeat.{}.2", "hold.{}"]
)
def test_the_model_runs_with_changed_positions(
    open_page: OpenPage, change: str, stack: str
) -> None:
    letters = ("e", "d") if stack == "both" else (stack[0],)
    page = model(open_page, "_".join(change.format(letter) for letter in letters), kind="cross")
    assert not page.exception
    assert not page.warning
    figure = drawn(page)
    assert figure["data"][0]["z"] != figure["data"][1]["z"]


def test_what_is_chosen_here_is_changed_on_every_page(open_page: OpenPage) -> None:
    page = model(open_page)
    assert not page.get("plotly_chart")  # two pictures of the same would say nothing
    page.button_group(key="positions encoder").set_value("repeated").run()
    page.number_input(key="positions number encoder").set_value(3).run()
    assert page.query_params["edits"] == "repeat.e.4"
    assert titles(drawn(page))[1] == "encoder position 4 given twice"
    page.switch_page("../pages/lab_heads/page.py").run()
    assert page.session_state["edits"] == (RepeatPosition("encoder", 3),)
    assert [one.label for one in page.button if "given twice" in one.label]


def test_a_change_that_changes_nothing_gives_the_same_translation(open_page: OpenPage) -> None:
    page = model(open_page, "scale.e.1.0")
    figure = drawn(page)
    assert figure["data"][0]["z"] == figure["data"][1]["z"]
    (told,) = [message(c) for c in components(page) if c.proto.component_name == "lab_outcome"]
    assert told["lines"][0] == told["lines"][1]
    assert not any(changed for *_word, changed in told["lines"][1])


def test_the_encoder_does_not_see_the_decoders_positions(open_page: OpenPage) -> None:
    page = model(open_page, "scale.d.0.0", kind="encoder")
    figure = drawn(page)
    assert figure["data"][0]["z"] == figure["data"][1]["z"]
    assert any("The encoder runs first" in one.value for one in page.caption)


def test_kind_layer_and_head_are_those_of_the_link(open_page: OpenPage) -> None:
    page = model(open_page, "scale.e.0.0", kind="cross", layer="3", head="5")
    caption = next(one.value for one in page.caption if "on average" in one.value)
    assert caption.startswith("cross 3.5")


def test_the_share_that_moved_is_half_of_the_difference(open_page: OpenPage) -> None:
    page = model(open_page, "shuffle.e.1", kind="cross", layer="3", head="5")
    before, after = (numbers(trace["z"]) for trace in drawn(page)["data"])
    share = np.abs(after - before).sum(axis=1).mean() / 2
    caption = next(one.value for one in page.caption if "on average" in one.value)
    assert f"on average {share:.0%} of" in caption


def test_the_log_probability_is_the_sum_over_the_pieces(open_page: OpenPage) -> None:
    page = model(open_page, "shuffle.e.1")
    recording = runs.run(FIRST_SENTENCE).recording
    rows = recording.logits.astype(np.float64)
    rows -= np.log(np.exp(rows).sum(axis=1, keepdims=True))
    ids = [*recording.target_ids[1:], recording.config.end_id]
    total = rows[np.arange(len(ids)), ids].sum()
    assert any(rf"\log P = {total:.2f} \;\to" in formula.value for formula in page.latex)


def test_before_is_as_trained_whatever_else_is_changed(open_page: OpenPage) -> None:
    plain = drawn(model(open_page, "shuffle.e.1", layer="2"))
    figure = drawn(model(open_page, "shuffle.e.1_zero.e.1.1-8", layer="2"))
    assert figure["data"][0]["z"] == plain["data"][0]["z"]
    assert figure["data"][1]["z"] != plain["data"][1]["z"]


def test_a_head_is_shown_before_and_after_what_is_foreseen_and_then_what_is_done(
    open_page: OpenPage,
) -> None:
    def pictures(page: AppTest) -> list[str]:
        bodies = [one.proto.body for one in page.get("html")]
        return [alt for body in bodies for alt in re.findall(r'alt="([^"]*)"', body)]

    page = open_page("lab_scale")
    before, then = pictures(page)
    source = len(runs.run(FIRST_SENTENCE).source.ids)
    assert any("Bars: the largest weight of a row" in one.value for one in page.caption)
    assert re.fullmatch(r"encoder 6\.4, Now: ·it → ·animal \d+%; largest .*: \d+%", before)
    assert then.startswith(f"encoder 6.4, If pressed: ·it → ·animal {1 / source:.0%}; ")
    done = open_page("lab_scale", edits="times.e.0.0_times.d.0.0_times.c.0.0", kind="encoder")
    assert pictures(done)[1].endswith(f"; largest weight of a row, on average: {1 / source:.0%}")
    assert not pictures(open_page("lab_scale", lesson="order", scene="1"))


def test_both_pictures_name_their_head_and_which_end_is_the_query(open_page: OpenPage) -> None:
    page = open_page("lab_scale", sentence="The dog bit the man.", edits="scale.e.0.0")
    (told,) = [one.proto.body for one in page.get("html") if "two-pictures" in one.proto.body]
    said = re.sub("<[^>]*>", "", told)
    found = re.search(
        r"encoder \d\.\d: rows are queries, here (\w+); columns are keys, here (\w+)", said
    )
    assert found, said
    assert found.groups() == ("the", "bit")


def test_a_query_that_writes_is_named_by_the_piece_that_it_writes(open_page: OpenPage) -> None:
    page = open_page("lab_scale", kind="cross", layer="5", head="3")
    (told,) = [one.proto.body for one in page.get("html") if "two-pictures" in one.proto.body]
    recording = runs.run(FIRST_SENTENCE).recording
    weights = recording.attention("cross")[4, 2]
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    written = (*recording.target_tokens, "</s>")[int(row) + 1].strip("▁")
    key = recording.source_tokens[int(column)].strip("▁")
    assert f"here writing {written}; columns are keys, here {key}" in re.sub("<[^>]*>", "", told)
