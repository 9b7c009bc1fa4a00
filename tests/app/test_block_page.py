"""One block by numbers, without a browser."""

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.sites.sites import STACKS
from tests.app.conftest import OpenPage
from viz.compute import batches, learning, runs

COMPUTED = ("add & norm", "feed-forward", "heads split and merged")
FIRST = "norm after or before"
VIEWS = (*COMPUTED, FIRST, "a batch with padding")


def said(at: AppTest) -> str:
    return " ".join(element.value for element in (*at.markdown, *at.caption))


@pytest.mark.parametrize("view", COMPUTED)
@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_what_is_computed_is_what_the_model_has(open_page: OpenPage, view: str, stack: str) -> None:
    page = open_page("block", **{"block view": view, "stack": stack, "layer": "3"})
    assert not page.exception
    assert ":green-badge[" in said(page)
    assert page.latex


def test_it_opens_where_the_sum_is_wide_unless_a_place_is_named(open_page: OpenPage) -> None:
    def width(**link: str) -> float:
        found = re.search(r"σ \*\*([\d.]+)\*\*; it makes", said(open_page("block", **link)))  # noqa: RUF001
        return float(found[1]) if found else 0.0

    assert width() > 3
    assert width(kind="encoder", layer="6", head="4") < 1.5


def test_padding_on_the_right_moves_nothing_and_on_the_left_it_does(open_page: OpenPage) -> None:
    sides: tuple[tuple[batches.Side, bool], ...] = (("right", False), ("left", True))
    for side, moves in sides:
        found = batches.batch(("The animal sleeps here.", "Thank you."), side)
        assert found.off[0] < 1e-5
        assert (found.off[1] > 1e-2) == moves
        assert found.real.sum(axis=1).tolist() == [
            len(runs.run(text).source.ids) for text in ("The animal sleeps here.", "Thank you.")
        ]
    page = open_page("block", **{"block view": "a batch with padding"})
    page.text_input(key="batch second").set_value("").run()
    assert not page.exception
    assert "second sentence" in page.info[0].value


def test_two_sentences_of_one_length_are_not_said_to_be_padded(open_page: OpenPage) -> None:
    texts = "The cat is here.", "The dog is small."
    pieces = {len(runs.run(text).source.ids) for text in texts}
    assert len(pieces) == 1
    page = open_page("block", sentence=texts[0], **{"block view": "a batch with padding"})
    for side in page.button_group(key="batch side").options:
        page.button_group(key="batch side").set_value(side)
        page.text_input(key="batch second").set_value(texts[1]).run()
        assert f"have {min(pieces)} pieces" in said(page)
        assert "masked out" not in said(page)
    page.text_input(key="batch second").set_value("No.").run()
    assert "masked out" in said(page)


@pytest.mark.parametrize(("edits", "stays"), [("", True), ("lift.e", False)])
def test_padding_moves_the_mean_of_a_token_that_may_look_at_it(
    open_page: OpenPage, edits: str, stays: bool
) -> None:
    page = open_page("block", stack="encoder", layer="1", edits=edits)
    row = re.search(r"over one token's numbers, (\S+)\. BatchNorm", said(page))
    padded = re.search(r"this token's (stays )?([\d.\u2212]+\d)", said(page))
    assert row
    assert padded
    assert (row[1] == padded[2]) == bool(padded[1]) == stays


def test_bytes_lose_nothing_and_unk_does() -> None:
    found = batches.unknown("I eat 饺子.")
    assert found.back == "I eat 饺子."
    assert found.by_bytes
    assert found.with_unknown.count("<unk>") == 1
    assert sum(piece.startswith("<0x") for piece in found.pieces) == 6


def test_the_place_at_which_it_opens_has_its_reason(open_page: OpenPage) -> None:
    assert "the widest sum of this token" in said(open_page("block"))
    linked = open_page("block", kind="encoder", layer="1", head="1")
    assert "the widest sum of this token" not in said(linked)


def test_a_norm_that_is_left_out_is_named(open_page: OpenPage) -> None:
    page = open_page("block", stack="encoder", layer="1", edits="norm.e.1.attn_res.e.1.attn")
    assert not page.exception
    assert "the norm is left out" in said(page)
    assert "the residual is left out" in said(page)


@pytest.mark.parametrize("edits", ["norm.e.1.attn", "skip.e.1"])
def test_a_norm_that_is_left_out_makes_nothing_wide_or_narrow(
    open_page: OpenPage, edits: str
) -> None:
    page = open_page("block", stack="encoder", layer="1", edits=edits)
    assert "it makes σ" not in said(page)  # noqa: RUF001
    assert ":green-badge[" in said(page)
    assert "it makes σ" in said(open_page("block", stack="encoder", layer="1"))  # noqa: RUF001


@pytest.mark.parametrize(
    ("edits", "badge"),
    [
        ("", ""),
        ("skip.e.1", "the sublayer is left out"),
        ("sub.e.1.ffn", "the sublayer is left out"),
        ("relu.e.1", "makes unit 77"),
    ],
)
def test_a_feed_forward_that_was_changed_is_called_so(
    open_page: OpenPage, edits: str, badge: str
) -> None:
    link = {"block view": "feed-forward", "stack": "encoder", "layer": "1"}
    page = open_page("block", edits=edits, **link)
    page.toggle(key="strongest unit").set_value(False).run()
    page.number_input(key="unit").set_value(77).run()
    assert not page.exception
    for one in ("the sublayer is left out", "makes unit 77"):
        assert (one in said(page)) == (one == badge)


def test_one_unit_is_followed_by_its_number(open_page: OpenPage) -> None:
    page = open_page("block", **{"block view": "feed-forward"})
    page.toggle(key="strongest unit").set_value(False).run()
    page.number_input(key="unit").set_value(77).run()
    assert not page.exception
    assert any("h_{77}" in formula.value for formula in page.latex)


def test_a_unit_of_the_encoder_is_not_said_to_write_by_itself(open_page: OpenPage) -> None:
    for stack, after in (("encoder", "A whole decoder comes after"), ("decoder", "if nothing")):
        page = open_page("block", **{"block view": "feed-forward", "stack": stack})
        assert any(after in one.value for one in page.caption)


def test_the_matrices_are_sent_when_asked_for(open_page: OpenPage) -> None:
    page = open_page("block", **{"block view": "feed-forward"})
    before = len(page.get("plotly_chart"))
    page.toggle(key="matrices shown").set_value(True).run()
    assert not page.exception
    assert len(page.get("plotly_chart")) == before + 1


def test_gradients_are_shown_for_both_places_of_the_norms(open_page: OpenPage) -> None:
    page = open_page("block", sentence="Thank you.", **{"block view": FIRST, "deep": "4"})
    assert not page.exception
    drawn = json.loads(page.get("plotly_chart")[0].proto.spec)["data"]
    assert [len(line["y"]) for line in drawn] == [4, 4, 4, 4]
    target = runs.run("Thank you.").translation.text
    found = learning.first_gradients("Thank you.", target, 4, "Xavier's").lengths
    means = [float(np.exp(np.log(draws).mean(axis=0))[0]) for draws in found.values()]
    assert [line["y"][0] for line in drawn] == pytest.approx(means)
    ratios = [
        np.exp(np.log(draws[:, -1] / draws[:, 0]).mean())
        for draws in (found[norms, stack] for norms in ("after", "before") for stack in STACKS)
    ]
    told = (
        ", ".join(f"{ratio:.2f}" for ratio in ratios[:2]),
        ", ".join(f"{ratio:.2f}" for ratio in ratios[2:]),
    )
    assert "**{}**. Norm before: **{}**.".format(*told) in said(page)
    other = page.button_group(key="drawn by").set_value("this project's").run()
    assert not other.exception
    assert f", {ratios[1]:.2f}**" not in said(other)
