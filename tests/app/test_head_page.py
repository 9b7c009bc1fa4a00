import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.sentences import FIRST_SENTENCE
from viz.compute import openings


def chain_header(at: AppTest) -> dict[str, Any]:
    """What the chain was told to draw."""
    for component in components(at):
        if component.proto.component_name == "head_chain":
            message = component.proto.bytes
            length = int.from_bytes(message[:4], "little")
            return json.loads(message[4 : 4 + length])
    raise AssertionError("no chain on the page")


def said(at: AppTest) -> str:
    return " ".join(element.value for element in at.markdown)


def test_the_chain_of_the_linked_head_and_query_is_drawn(open_page: OpenPage) -> None:
    page = open_page("head", kind="cross", layer="3", head="5", query="2")
    assert not page.exception
    header = chain_header(page)
    assert (header["head"], header["query"]) == (4, 1)
    assert (header["queryStack"], header["keyStack"]) == ("decoder", "encoder")
    assert header["keys"][-1] == "</s>"
    assert header["queries"][0] == "<s>"


def test_it_opens_on_what_it_mixes_of_its_animal(open_page: OpenPage) -> None:
    page = open_page("head")
    header = chain_header(page)
    assert header["queries"][header["query"]] == "·it"
    found = re.search(r"A head that mixes .*: “it” takes .* of “animal”, .* share .*", said(page))
    assert found
    assert sum(float(weight) for weight in re.findall(r"0\.\d\d", found[0])) == pytest.approx(1)


def test_the_badge_says_that_the_chain_is_the_model_s(open_page: OpenPage) -> None:
    for kind in ("encoder", "decoder", "cross"):
        badges = said(open_page("head", kind=kind))
        assert "Recomputed from these numbers" in badges
        assert ":green-badge[" in badges


@pytest.mark.parametrize("edits", ["zero.e.6.4", "mean.e.6.4", "skip.e.6", "sub.e.6.attn", ""])
def test_a_head_that_is_off_is_called_so(open_page: OpenPage, edits: str) -> None:
    page = open_page("head", kind="encoder", layer="6", head="4", edits=edits)
    assert not page.exception
    assert ("This head is switched off" in said(page)) == bool(edits)
    assert ("nothing of this arrives: “it” takes" in said(page)) == bool(edits)
    assert "switched off" not in said(open_page("head", layer="6", head="3", edits="zero.e.6.4"))


@pytest.mark.parametrize("query", ["99", "0", "-1", "x", "²", "1e3", ""])
def test_a_query_that_the_sentence_does_not_have_means_the_default(
    open_page: OpenPage, query: str
) -> None:
    page = open_page("head", kind="encoder", layer="1", head="1", query=query)
    assert not page.exception
    header = chain_header(page)
    assert header["queries"][header["query"]] == "·it"


def test_masked_keys_are_named_in_decoder_attention(open_page: OpenPage) -> None:
    header = chain_header(open_page("head", kind="decoder", query="3"))
    assert header["allowed"] == [True] * 3 + [False] * (len(header["keys"]) - 3)


def test_without_the_division_the_entropy_stands_beside_the_model_s(open_page: OpenPage) -> None:
    page = open_page("head", query="12")
    page.toggle(key="scaled").set_value(False).run()
    assert not page.exception
    assert chain_header(page)["divisor"] == 1.0
    entropies = re.search(
        r"Changed by you: entropy (\S+) nats, in the model (\d+\.\d+)", said(page)
    )
    assert entropies
    assert float(entropies[1]) <= float(entropies[2])


def test_numbers_of_another_formula_are_not_said_to_be_the_model_s(open_page: OpenPage) -> None:
    page = open_page("head", query="12")
    assert "Recomputed from these numbers" in said(page)
    page.toggle(key="scaled").set_value(False).run()
    assert "Recomputed from these numbers" not in said(page)
    assert ":green-badge[" not in said(page)
    assert "By your formula: weights up to" in said(page)
    assert "Recomputed from these numbers" not in said(open_page("head", temperature="3.0"))


def test_a_head_that_differs_from_that_of_attention_names_it(open_page: OpenPage) -> None:
    opening = openings.opening(FIRST_SENTENCE)
    layer, head = opening.head(opening.kind)
    assert f"(Attention opens on {opening.kind} {layer + 1}.{head + 1})" in said(open_page("head"))


def test_temperature_is_named_as_changed(open_page: OpenPage) -> None:
    page = open_page("head", temperature="3.0")
    assert "Changed by you" in said(page)
    assert chain_header(page)["temperature"] == 3.0


def test_a_head_mixes_only_by_the_models_own_formula(open_page: OpenPage) -> None:
    assert "A head that mixes" in said(open_page("head"))
    assert "A head that mixes" not in said(open_page("head", temperature="0.1"))


def test_six_links_are_written_with_formulas(open_page: OpenPage) -> None:
    assert not open_page("head").latex  # closed, it costs nothing
    page = open_page("head", "formulas")
    formulas = " ".join(formula.value for formula in page.latex)
    for part in (r"q = x W_Q", r"\sqrt{32}", r"\sum_m e^{s_m}", r"z = \sum_j", r"W_O + b_O"):
        assert part in formulas


def test_slices_and_separate_projections_differ_by_rounding_only(open_page: OpenPage) -> None:
    page = open_page("head", one_head="slices or projections")
    assert [metric.label for metric in page.metric] == ["W_Q", "W_K", "W_V", "W_O"]
    values = [metric.value.replace("\N{MINUS SIGN}", "-") for metric in page.metric]
    assert all(float(value) < 1e-4 for value in values)


@pytest.mark.parametrize("sentence", ["$$ } \\end{gathered}", "<img src=x>", "你好", "a"])
def test_odd_sentences_are_followed_too(open_page: OpenPage, sentence: str) -> None:
    page = open_page("head", sentence=sentence, kind="cross")
    assert not page.exception
    assert chain_header(page)["keys"]


def test_a_model_without_the_division_is_shown_without_it(open_page: OpenPage) -> None:
    page = open_page("head", edits="raw.e", kind="encoder", query="3")
    assert chain_header(page)["divisor"] == 1
    assert ":green-badge[" in said(page)
    assert not page.toggle(key="rescaled").value
    page.toggle(key="rescaled").set_value(True).run()
    assert chain_header(page)["divisor"] == pytest.approx(32**0.5)
    assert "Changed by you" in said(page)
    assert chain_header(open_page("head", edits="raw.e", kind="cross"))["divisor"] > 1


@pytest.mark.parametrize("edits", ["clamp.e.0.01", "uniform.e.1.1"])
def test_scores_that_no_division_gives_are_said_to_be_changed(
    open_page: OpenPage, edits: str
) -> None:
    page = open_page("head", "formulas", edits=edits, kind="encoder", layer="1", head="1")
    assert chain_header(page)["changed"]
    assert not chain_header(open_page("head", edits="times.e.2.0", kind="encoder"))["changed"]


def test_a_row_of_the_decoder_says_what_it_writes(open_page: OpenPage) -> None:
    def row(kind: str, query: str) -> dict[str, Any]:
        page = open_page("head", sentence="I am hungry.", kind=kind, query=query)
        rows = [c for c in components(page) if c.proto.component_name == "token_row"]
        return message(rows[0])

    second = row("cross", "2")
    assert second["note"] == f"writing {second['tokens'][2]}"
    last = row("decoder", str(len(second["tokens"])))
    assert last["note"] == "writing </s>"
    assert row("encoder", "2")["note"] == ""
