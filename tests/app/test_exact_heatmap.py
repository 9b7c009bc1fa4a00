import json
from base64 import b64decode
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import load_translator
from tests.app.conftest import OpenPage
from tests.sentences import DECIDING, FIRST_SENTENCE

VIEW = "all queries, exactly"


def drawn(at: AppTest) -> dict[str, Any]:
    """The plotly figure on the page."""
    return json.loads(at.get("plotly_chart")[0].proto.spec)


def test_layer_head_and_kind_choose_the_heatmap(open_page: OpenPage) -> None:
    before = drawn(open_page("head", one_head=VIEW))
    figure = drawn(open_page("head", one_head=VIEW, kind="cross", layer="3", head="5"))
    assert figure["data"] != before["data"]
    assert figure["layout"]["title"]["text"] == "cross 3.5"


def test_query_and_key_are_named_on_the_axes(open_page: OpenPage) -> None:
    layout = drawn(open_page("head", one_head=VIEW))["layout"]
    assert layout["yaxis"]["title"]["text"].startswith("query")
    assert layout["xaxis"]["title"]["text"].startswith("key")


def test_decoder_rows_name_the_piece_given_and_the_piece_predicted(open_page: OpenPage) -> None:
    for kind in ("decoder", "cross"):
        names = drawn(open_page("head", one_head=VIEW, kind=kind))["layout"]["yaxis"]["ticktext"]
        assert names[0].startswith("&lt;s&gt; → ·")
        for row, after in pairwise(names):
            assert row.split(" → ")[1] == after.split(" → ")[0]


def test_long_input_is_cut_with_a_notice(open_page: OpenPage) -> None:
    page = open_page("head", one_head=VIEW, sentence="word " * 1000)
    assert "128" in page.warning[0].value


def test_a_sentence_with_words_of_another_script_says_what_the_model_reads(
    open_page: OpenPage,
) -> None:
    def said(sentence: str) -> str:
        return " ".join(
            one.value for one in open_page("head", one_head=VIEW, sentence=sentence).markdown
        )

    assert "reads English" in said("I eat 饺子.")
    assert "reads English" not in said("I eat apples.")


@pytest.mark.parametrize(
    ("choice", "asked"), [("layer", "9"), ("head", "0"), ("attention", "sideways")]
)
def test_a_link_to_what_the_model_does_not_have_says_so(
    open_page: OpenPage, choice: str, asked: str
) -> None:
    page = open_page("head", one_head=VIEW, **{"kind" if choice == "attention" else choice: asked})
    assert not page.exception
    assert [toast.value for toast in page.toast] == [
        f"This link asks for {choice} {asked}, which this model does not have."
    ]
    title = drawn(page)["layout"]["title"]["text"]
    assert title == DECIDING  # on which the sentence opens


def test_a_link_that_can_be_followed_is_followed_in_silence(open_page: OpenPage) -> None:
    assert not open_page("head", one_head=VIEW, kind="cross", layer="6", head="8").toast


def test_what_is_taken_is_the_weight_times_the_length_of_the_value(open_page: OpenPage) -> None:
    place = {"one_head": VIEW, "kind": "decoder", "layer": "1", "head": "1"}
    looks = drawn(open_page("head", **place))["data"][0]
    takes = drawn(open_page("head", **place, cells="what is taken"))["data"][0]
    recording = load_translator().record(FIRST_SENTENCE)
    lengths = np.linalg.norm(recording["decoder.0.self_attn.v"][0], axis=-1)
    weights = recording.attention("decoder")[0, 0]
    assert takes["z"] != looks["z"]
    found = np.frombuffer(b64decode(takes["z"]["bdata"]), "f4").reshape(weights.shape)
    np.testing.assert_allclose(found, weights * lengths / lengths.max(), atol=1e-5)
