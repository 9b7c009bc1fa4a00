import base64
import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import components
from tests.sentences import FIRST_SENTENCE
from viz.compute import prefixes, runs
from viz.figures.labels import Number
from viz.shell import in_python, source_code

CODE = source_code.KEY, in_python.KEY
"""The boxes with code, to be opened."""


def figures(at: AppTest) -> list[dict[str, Any]]:
    """The plotly figures of a part: stream, lens (decoder), contributions; growth."""
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def drawing(at: AppTest) -> dict[str, Any]:
    for component in components(at):
        if component.proto.component_name == "architecture":
            return json.loads(component.proto.json)
    raise AssertionError("no drawing on the page")


def test_every_block_shows_the_shape_that_flows_out_of_it(open_page: OpenPage) -> None:
    page = open_page("layers", block="encoder.0.self_attn.out")
    assert not page.exception
    shapes = {box["site"]: box["shape"] for box in drawing(page)["boxes"]}
    source = shapes["encoder.input"].split()[0]
    target = shapes["decoder.input"].split()[0]
    assert shapes["encoder.0.ffn.hidden"].split()[0::2] == [source, "1024"]
    assert shapes["encoder.memory"].split()[0::2] == [source, "256"]
    assert shapes["decoder.softmax"].split()[0::2] == [
        target,
        str(runs.translator().network.config.vocab_size),
    ]
    assert not figures(page)


def test_the_page_opens_on_the_memory_that_it_asks_about(open_page: OpenPage) -> None:
    assert drawing(open_page("layers"))["chosen"] == "encoder.memory"
    named = open_page("layers", kind="encoder", layer="2", head="1")
    assert drawing(named)["chosen"] == "encoder.1.self_attn.out"


@pytest.mark.parametrize(
    ("block", "title"),
    [
        ("encoder.3.ffn.hidden", "FFN: hidden layer"),
        ("decoder.5.cross_attn.out", "Cross-attention"),
        ("decoder.2.norm3", "Add & norm"),
        ("encoder.memory", "Memory"),
        ("decoder.logits", "Linear"),
        ("decoder.softmax", "Softmax"),
    ],
)
def test_a_link_chooses_the_block(open_page: OpenPage, block: str, title: str) -> None:
    page = open_page("layers", block=block)
    assert not page.exception
    drawn = drawing(page)
    assert drawn["chosen"] == block
    (box,) = [box for box in drawn["boxes"] if box["site"] == block and not box["closed"]]
    assert box["title"] == title


def test_every_box_sends_its_numbers_and_attention_its_heads(open_page: OpenPage) -> None:
    drawn = drawing(open_page("layers", block="encoder.2.norm1"))
    assert [count for count, _image in drawn["heads"].values()] == [8, 8, 8]
    header = base64.b64decode(drawn["tensors"])
    arrays = json.loads(header[4 : 4 + int.from_bytes(header[:4], "little")])["arrays"]
    shapes = {site: tuple(shape) for site, _size, shape in arrays}
    assert {box["site"] for box in drawn["boxes"]} == shapes.keys()
    assert shapes["encoder.2.ffn.hidden"][1] == shapes["encoder.memory"][1] == 256
    assert shapes["decoder.softmax"][1] == 16
    assert drawn["ends"]["encoder"][0] == FIRST_SENTENCE


@pytest.mark.parametrize("block", ["nothing", "encoder.99.norm1", "encoder.0.self_attn.q", ".", ""])
def test_a_block_that_does_not_exist_means_the_memory(open_page: OpenPage, block: str) -> None:
    page = open_page("layers", block=block)
    assert not page.exception
    assert drawing(page)["chosen"] == "encoder.memory"


def test_a_block_of_a_layer_opens_that_layer(open_page: OpenPage) -> None:
    frames = drawing(open_page("layers", block="decoder.4.norm1"))["frames"]
    assert [frame[0] for frame in frames] == ["encoder", "decoder"]
    assert {frame[3] for frame in frames} == {"Encoder, layer 5 of 6", "Decoder, layer 5 of 6"}


def test_the_slider_moves_the_frame_through_the_layers(open_page: OpenPage) -> None:
    page = open_page("layers", layers="one token", depth="2")
    stream = figures(page)[0]
    assert {shape["y0"] for shape in stream["layout"]["shapes"]} == {1.5}
    assert "to the depth before" in page.caption[0].value
    page.slider(key="depth").set_value(0).run()
    assert "before" not in page.caption[0].value
    assert {shape["y0"] for shape in figures(page)[0]["layout"]["shapes"]} == {-0.5}


def test_the_lens_is_shown_for_the_decoder_only_and_ends_in_the_prediction(
    open_page: OpenPage,
) -> None:
    page = open_page("layers", layers="one token", stack="decoder", step="1")
    lens = figures(page)[1]["data"][0]
    boxes = drawing(open_page("layers", block="decoder.softmax"))["boxes"]
    (softmax,) = [box for box in boxes if box["site"] == "decoder.softmax"]
    assert lens["customdata"][-1][0] in softmax["pieces"]
    assert any("What becomes of the row that writes “" in one.value for one in page.markdown)
    page.segmented_control(key="stack").set_value("encoder").run()
    assert not page.exception
    assert len(figures(page)) == 2
    assert any("What becomes of “" in one.value for one in page.markdown)


def test_the_costs_add_up_and_are_drawn_for_this_sentence(open_page: OpenPage) -> None:
    page = open_page("layers", layers="cost", sentence="Thinking machines")
    table = page.dataframe[0].value
    assert len(table) == 9
    text = " ".join(element.value for element in page.markdown)
    count = sum(one.numel() for one in runs.translator().network.parameters())
    assert f"**{count:,}** parameters" in text
    length = figures(page)[-1]["layout"]["shapes"][0]["x0"]
    assert f"S = {length} source" in text


@pytest.mark.parametrize(
    "block",
    ["encoder.embedding", "encoder.0.norm1", "decoder.softmax", "decoder.1.cross_attn.out"],
)
def test_the_code_beside_the_picture_gives_what_is_shown(open_page: OpenPage, block: str) -> None:
    page = open_page("layers", *CODE, block=block, sentence="It rains.", edits="skip.e.2")
    assert not page.exception
    made, asked = (code.value for code in page.code)
    assert "def " in made
    named: dict[str, Any] = {}
    exec("\n".join(asked.splitlines()[:-1]), named)  # the lines before the last make a recording
    shape = asked.splitlines()[-1].split("# ")[1]
    site = "decoder.logits" if block.endswith("softmax") else block
    assert " x ".join(map(str, named["recording"][site].shape)) == shape
    assert len(named["recording"].interventions) == 1


def test_the_layer_around_a_block_has_its_code_too(open_page: OpenPage) -> None:
    page = open_page("layers", *CODE, block="decoder.1.cross_attn.out", sentence="It rains.")
    page = page.button_group(key="source").set_value("DecoderLayer").run()
    assert page.code[0].value.startswith("class DecoderLayer")


@pytest.mark.parametrize(
    ("page", "view", "line"),
    [
        ("tokens", {}, "def encode(self, text: str)"),
        ("decoder", {}, "def walk("),
        ("decoder", {"writing": "what is kept"}, "class KeyValueCache"),
        ("learning", {"learning": "teacher forcing"}, "def feed("),
    ],
)
def test_pages_without_blocks_show_their_code(
    open_page: OpenPage, page: str, view: dict[str, str], line: str
) -> None:
    shown = open_page(page, *CODE, sentence="It rains.", **view)
    assert not shown.exception
    assert any(line in code.value for code in shown.code)


def test_shapes_of_all_sites_are_listed(open_page: OpenPage) -> None:
    table = open_page("layers", layers="shapes").dataframe[0].value
    assert "decoder.logits" in list(table["site"])
    assert "encoder.5.self_attn.weights" in list(table["site"])


def test_the_masks_of_three_families_are_those_of_this_sentence(open_page: OpenPage) -> None:
    page = open_page("layers", layers="encoder or decoder", sentence="Thank you.")
    assert not page.exception
    run = runs.run("Thank you.")
    source, target = len(run.source.ids), len(run.recording.target_ids)
    both, whole = source**2 + source * target + target * (target + 1) // 2, source + target
    said = " ".join(each.value for each in page.markdown)
    for count in (source**2, whole * (whole + 1) // 2, both):
        assert f"| {count:,} |" in said
    assert "has cross-attention, too" in said  # so its parameters are not those of two blocks
    free, masked = prefixes.changes("Thank you.", source // 2)
    assert f"**{free:.0%}**" in said
    assert masked < 1e-5 < free


def test_a_beginning_has_at_least_two_pieces(open_page: OpenPage) -> None:
    assert len(runs.run("No.").source.ids) == 3
    page = open_page("layers", layers="encoder or decoder", sentence="No.")
    said = " ".join(each.value for each in page.markdown)
    assert "the first 2 pieces" in said


def test_two_layers_are_compared_by_their_weights(open_page: OpenPage) -> None:
    page = open_page("layers", layers="layers compared", **{"weights of": "ffn.out"})
    assert not page.exception
    (drawn,) = figures(page)
    one, other = (
        runs.translator().model.get_parameter(f"decoder.layers.{layer}.ffn.out.weight").ravel()
        for layer in (1, 4)
    )
    cosine = float(one @ other / one.norm() / other.norm())
    assert drawn["data"][1]["z"][1][4] == pytest.approx(cosine, abs=1e-5)
    texts = " ".join(each.value for each in page.markdown)
    assert "256 × 1024" in texts
    cosines = np.stack([trace["z"] for trace in drawn["data"]])
    different = cosines[:, ~np.eye(6, dtype=bool)]
    largest = different.flat[np.abs(different).argmax()]
    assert f"furthest from 0 is **{Number(largest):.3f}**" in texts
