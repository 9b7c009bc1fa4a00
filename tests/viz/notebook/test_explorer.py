"""The explorer of a notebook: any arrays in, one frame or a figure out."""

import base64
import errno
import io
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image

from tests.fixtures.explorer_recordings import heads, recording
from viz.notebook import explorer, heatmap

SOURCE, TARGET = ["\u0120The", "\u0120cat", "."], ["<s>", "\u0120Le", "\u0120chat", "."]
ENCODER, DECODER, CROSS = (heads(2, 4, *n, seed=1) for n in ((3, 3), (4, 4), (4, 3)))
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    "parts",
    [
        {"encoder": ENCODER},
        {"decoder": DECODER},
        {"cross": CROSS},
        {"encoder": ENCODER[:1, :2], "decoder": DECODER, "cross": CROSS[:, :3]},
    ],
)
def test_any_part_may_be_missing_and_sizes_may_differ(
    parts: dict[str, Any],
) -> None:
    made = explorer.from_arrays(**parts, source=SOURCE, target=TARGET)
    assert made.recording.kinds == tuple(parts)
    assert made.recording.source_tokens == ("\u2581The", "\u2581cat", ".")
    assert made.recording.sentence == "The cat."
    kind = made.recording.kinds[0]
    assert f'"{kind}":' in _header(made.page())


def _header(page: str) -> str:
    found = re.search(r'getElementById\("explorer"\), "([^"]+)"', page)
    assert found
    data = base64.b64decode(found[1])
    return data[4 : 4 + int.from_bytes(data[:4], "little")].decode()


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({}, "weights expected of the encoder, the decoder or cross"),
        ({"encoder": ENCODER[0]}, r"encoder: four axes expected, \(L, H, query, key\), not"),
        (
            {"cross": CROSS[:, :, :3]},
            r"cross: axis 2 \(query\) expected to be 4, as many as tokens",
        ),
        ({"cross": CROSS[..., :2]}, r"cross: axis 3 \(key\) expected to be 3, as many as tokens"),
        ({"decoder": DECODER[:0]}, r"decoder: axis 0 \(layer\) expected to be 1 or more not 0"),
        ({"encoder": ENCODER * 3 - 1}, "encoder: weights from 0 to 1 expected"),
        (
            {"encoder": np.minimum(ENCODER * 1.3, 1)},
            r"must add up to 1 at most; .* model\.eval\(\)",
        ),
        ({"encoder": np.stack([ENCODER] * 2, axis=1)}, "encoder: a batch of 2: choose one"),
        (
            {"cross": np.where(CROSS.max() == CROSS, np.nan, CROSS)},
            "cross: 1 of 96 weights are NaN",
        ),
        ({"encoder": [[[[1.0, 0.0], [1.0]]]]}, "encoder: numbers in rows of one length expected"),
        ({"encoder": "attention"}, "encoder: numbers in rows of one length expected, found a str"),
    ],
)
def test_bad_shapes_are_refused_by_their_axis(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explorer.from_arrays(**parts, source=SOURCE, target=TARGET)


def test_outputs_of_transformers_are_read() -> None:
    from transformers import (
        BartConfig,
        BartModel,
        MarianConfig,
        MarianModel,
        T5Config,
        T5Model,
    )

    sizes: dict[str, Any] = {"vocab_size": 20, "d_model": 16}
    bart: dict[str, Any] = {"encoder_layers": 1, "decoder_layers": 2} | {
        f"{stack}_{part}": number
        for stack in ("encoder", "decoder")
        for part, number in (("attention_heads", 2), ("ffn_dim", 8))
    }
    special: dict[str, Any] = {"pad_token_id": 1, "decoder_start_token_id": 1, "eos_token_id": 2}
    models = (
        BartModel(BartConfig(**sizes, **bart)),
        MarianModel(MarianConfig(**sizes, **bart, **special)),
        T5Model(T5Config(**sizes, d_kv=8, d_ff=8, num_layers=1, num_decoder_layers=2, num_heads=2)),
    )
    ids = {
        "input_ids": torch.tensor([[3, 4, 5]]),
        "decoder_input_ids": torch.tensor([[1, 6, 7, 8]]),
    }
    for model in models:
        model.set_attn_implementation("eager")
        outputs = model.eval()(**ids, output_attentions=True)
        found = explorer.from_outputs(outputs, SOURCE, TARGET).recording
        shapes = [found.weights(kind).shape for kind in ("encoder", "decoder", "cross")]
        assert shapes == [(1, 2, 3, 3), (2, 2, 4, 4), (2, 2, 4, 3)]
        np.testing.assert_allclose(
            found.weights("cross"), torch.cat(outputs.cross_attentions).detach()
        )


def test_a_model_of_one_stack_of_transformers_is_read_and_says_how_where_it_keeps_none() -> None:
    from transformers import (
        BertConfig,
        BertModel,
        ElectraConfig,
        ElectraModel,
        GPT2Config,
        GPT2LMHeadModel,
        GPT2Model,
        RobertaConfig,
        RobertaModel,
        T5Config,
        T5EncoderModel,
    )

    bert: dict[str, Any] = {"vocab_size": 20, "hidden_size": 16, "intermediate_size": 8}
    bert |= {"num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 40}
    gpt: dict[str, Any] = {"vocab_size": 20, "n_embd": 16, "n_layer": 2, "n_head": 2}
    gpt |= {"bos_token_id": 1, "eos_token_id": 1}
    t5: dict[str, Any] = {"vocab_size": 20, "d_model": 16, "d_kv": 8, "d_ff": 8, "num_heads": 2}
    models = (
        BertModel(BertConfig(**bert)),
        RobertaModel(RobertaConfig(**bert)),
        ElectraModel(ElectraConfig(**bert, embedding_size=16)),
        GPT2Model(GPT2Config(**gpt)),
        GPT2LMHeadModel(GPT2Config(**gpt)),
        T5EncoderModel(T5Config(**t5, num_layers=2)),
    )
    ids = torch.tensor([[3, 4, 5]])
    for model in models:
        model.set_attn_implementation("eager")
        outputs = model.eval()(ids, output_attentions=True)
        found = explorer.from_outputs(outputs, SOURCE).recording
        assert found.kinds == ("encoder",), type(model)
        np.testing.assert_allclose(
            found.weights("encoder"), torch.cat(outputs.attentions).detach(), atol=1e-7
        )
    last = models[-1]
    last.set_attn_implementation("sdpa")
    for asked in (True, False):
        outputs = last(ids, output_attentions=asked)
        with pytest.raises(ValueError, match=r'load it with .*attn_implementation="eager"'):
            explorer.from_outputs(outputs, SOURCE)


def test_a_decoder_that_looks_across_keeps_its_own_attention() -> None:
    output = {
        "attentions": tuple(torch.tensor(DECODER[:, None])),
        "cross_attentions": tuple(torch.tensor(CROSS[:, None])),
    }
    found = explorer.from_outputs(output, SOURCE, TARGET).recording
    assert found.kinds == ("decoder", "cross")
    np.testing.assert_array_equal(found.weights("decoder"), DECODER)


def test_padding_is_left_out_by_the_masks_of_the_batch() -> None:
    wide = {
        "encoder_attentions": np.pad(ENCODER, ((0, 0), (0, 0), (0, 2), (0, 2)))[:, None],
        "decoder_attentions": np.pad(DECODER, ((0, 0), (0, 0), (1, 0), (1, 0)))[:, None],
        "cross_attentions": np.pad(CROSS, ((0, 0), (0, 0), (1, 0), (0, 2)))[:, None],
    }
    masks = {
        "attention_mask": torch.tensor([[1, 1, 1, 0, 0]]),
        "decoder_attention_mask": [0, 1, 1, 1, 1],
    }
    for source, target in ((SOURCE, TARGET), ([*SOURCE, "<pad>", "<pad>"], ["<pad>", *TARGET])):
        found = explorer.from_outputs(wide, source, target, **masks).recording
        assert found.source_tokens == ("\u2581The", "\u2581cat", ".")
        assert found.target_tokens == ("<s>", "\u2581Le", "\u2581chat", ".")
        np.testing.assert_array_equal(found.weights("encoder"), ENCODER)
        np.testing.assert_array_equal(found.weights("decoder"), DECODER)
        np.testing.assert_array_equal(found.weights("cross"), CROSS)
    alone = {"attentions": wide["decoder_attentions"]}
    found = explorer.from_outputs(alone, target=TARGET, attention_mask=[[0, 1, 1, 1, 1]]).recording
    np.testing.assert_array_equal(found.weights("decoder"), DECODER)
    with pytest.raises(ValueError, match="a mask of 5 tokens expected, not of 4"):
        explorer.from_outputs(alone, target=TARGET, attention_mask=[[0, 1, 1, 1]])


def test_layers_may_be_tensors_each_a_batch_of_one_that_still_learn() -> None:
    """So BertViz takes them."""
    given = tuple(torch.tensor(layer[None], requires_grad=True) for layer in ENCODER)
    found = explorer.from_arrays(encoder=given, source=SOURCE).recording
    np.testing.assert_array_equal(found.weights("encoder"), ENCODER)
    figure = heatmap(given[0][0, 0], SOURCE, SOURCE)
    np.testing.assert_array_equal(np.array(figure.data[0]["z"]), ENCODER[0, 0])


def test_ids_are_no_tokens() -> None:
    for ids in ([101, 7, 102], torch.tensor([101, 7, 102])):
        with pytest.raises(ValueError, match=r"tokens must be texts, not .*convert_ids_to_tokens"):
            explorer.from_arrays(encoder=ENCODER, source=ids)  # pyrefly: ignore[bad-argument-type]
        with pytest.raises(ValueError, match=r"tokens must be texts, not .*convert_ids_to_tokens"):
            heatmap(ENCODER[0, 0], ids, SOURCE)  # pyrefly: ignore[bad-argument-type]


def test_what_is_no_recording_is_refused_and_the_right_door_named() -> None:
    for wrong in (ENCODER, {"attentions": ENCODER}, None, "recording"):
        with pytest.raises(ValueError, match=r"a Recording expected, .* explorer\.from_arrays"):
            explorer(wrong)  # pyrefly: ignore[bad-argument-type]
    with pytest.raises(ValueError, match="a Translator expected, found str"):
        explorer(recording(), "en-fr")  # pyrefly: ignore[bad-argument-type]


def test_a_model_of_one_stack_calls_it_just_attentions() -> None:
    output = {"attentions": [torch.tensor(ENCODER[:1])] * 3}
    assert explorer.from_outputs(output, source=SOURCE).recording.kinds == ("encoder",)
    output = SimpleNamespace(attentions=[torch.tensor(DECODER[:1])])
    assert explorer.from_outputs(output, target=TARGET).recording.kinds == ("decoder",)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ({}, "call the model with output_attentions=True"),
        ({"cross_attentions": (torch.zeros(2, 3),)}, r"\(batch, H, query, key\) a layer expected"),
    ],
)
def test_outputs_without_weights_are_refused(output: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explorer.from_outputs(output, SOURCE, TARGET)


def test_a_page_and_its_frame_need_no_network(tmp_path: Path) -> None:
    made = explorer(recording())
    page = made.save(tmp_path / "figure.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"'`)]+", page)) == {"http://www.w3.org/2000/svg"}
    frame = made._repr_html_()
    assert frame.count("<iframe") == frame.count("</iframe>") == 1
    assert '"' not in re.findall(r'srcdoc="([^"]*)"', frame)[0]


def test_a_page_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        explorer(recording()).save(tmp_path / "figure.html")
    assert list(tmp_path.iterdir()) == []


def test_a_stranger_s_token_stays_text() -> None:
    bad = "</script><script>alert(1)</script>"
    made = explorer.from_arrays(encoder=ENCODER, source=[bad, "b", "c"])
    assert "<script>alert" not in made.page()
    assert bad in texts(made.svg(kind="encoder"))


def test_a_matrix_for_print_has_its_weights_texts_and_caption() -> None:
    given = recording()
    svg = explorer(given).svg(layer=5, head=6)
    root = ElementTree.fromstring(svg)
    written = texts(svg)
    assert written[0] == "cross 5.6"
    assert {"query: who is looking", "key: who is looked at", "·animal", "weight"} <= set(written)
    assert any(given.checkpoint in text for text in written)
    assert " ".join(written).count(given.sentence.split()[1]) >= 1
    cells = [box for box in root.iter(f"{SVG}rect") if box.get("width") == "24.0"]
    assert len(cells) == len(given.target_tokens) * len(given.source_tokens)
    darkness = [sum(int(cell.get("fill", "")[i : i + 2], 16) for i in (1, 3, 5)) for cell in cells]
    weights = given.weights("cross")[4, 5]
    assert int(np.argmin(darkness)) == int(weights.argmax())
    background = next(root.iter(f"{SVG}rect"))
    assert background.get("fill") == "#ffffff"


@pytest.mark.parametrize("view", ["matrix", "lines"])
def test_no_label_leaves_the_picture(view: Literal["matrix", "lines"]) -> None:
    """Long names widen it; a letter takes at most 0.62 of its size."""
    tokens = ["Donaudampfschifffahrtsgesellschaftskapitän", "b", "c"]
    made = explorer.from_arrays(encoder=ENCODER, source=tokens)
    root = ElementTree.fromstring(made.svg(view=view, kind="encoder"))
    wide, high = float(root.get("width", 0)), float(root.get("height", 0))
    for node in root.iter(f"{SVG}text"):
        x, y = float(node.get("x", 0)), float(node.get("y", 0))
        long = 0.62 * float(node.get("font-size", 0)) * len(node.text or "")
        if "rotate" in node.get("transform", ""):
            assert y - long >= 0, node.text
            continue
        before = long if node.get("text-anchor") == "end" else 0
        assert x - before >= 0, node.text
        assert x - before + long <= wide + 1, node.text
        assert y <= high, node.text


def test_chosen_tokens_and_heads_only() -> None:
    given = recording()
    made = explorer(given)
    svg = made.svg(view="lines", layer=2, head=(1, 3), queries=(2, 4), keys=(1, 2, 3))
    written = texts(svg)
    assert written[0] == "cross 2.1, cross 2.3"
    assert "2 of 17 queries and 3 of 16 keys are shown." in " ".join(written)
    weights = given.weights("cross")[1][np.ix_([0, 2], [1, 3], [0, 1, 2])]
    paths = list(ElementTree.fromstring(svg).iter(f"{SVG}path"))
    assert len(paths) == int((weights >= 0.02).sum())
    opacities = sorted(float(path.get("stroke-opacity", 0)) for path in paths)
    np.testing.assert_allclose(opacities, np.sort(weights[weights >= 0.02]), atol=6e-4)


@pytest.mark.parametrize("merge", ["mean", "maximum"])
def test_merged_heads_are_named_as_such(merge: Literal["mean", "maximum"]) -> None:
    assert texts(explorer(recording()).svg(layer=1, head=(2, 5), merge=merge))[0] == (
        f"{merge.title()} of cross 1.2, cross 1.5"
    )


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"layer": 7}, "layer must be 1 to 6, not 7"),
        ({"head": 0}, "head must be 1 to 8, not 0"),
        ({"head": ["6"]}, "head must be 1 to 8, not '6'"),
        ({"kind": "self"}, "kind must be one of encoder, decoder, cross, not 'self'"),
        ({"keys": slice(1, 3)}, r"keys must be places from 1, such as \[1, 2\], not slice"),
        ({"queries": ()}, "query: at least one number expected"),
        ({"view": "grid"}, "view must be one of matrix, lines, not 'grid'"),
        ({"merge": "median"}, "merge must be one of mean, maximum, not 'median'"),
    ],
)
def test_what_there_is_not_is_refused(choice: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explorer(recording()).svg(**choice)


def test_a_page_is_not_saved_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no such folder: .*nowhere'$"):
        explorer(recording()).save(tmp_path / "nowhere" / "page.html")


def test_a_head_is_named_as_on_screen() -> None:
    made = explorer(recording())
    assert made.svg(head="encoder 6.4") == made.svg(kind="encoder", layer=6, head=4)
    with pytest.raises(ValueError, match="a head is named like"):
        made.svg(head="6.4")


def test_numbers_of_numpy_choose_as_others_do() -> None:
    made, numbers = explorer(recording()), np.arange(1, 9)
    assert made.svg(layer=numbers[4], head=numbers[5]) == made.svg(layer=5, head=6)
    assert made.svg(head=numbers[1:3], queries=numbers) == made.svg(
        head=(2, 3), queries=range(1, 9)
    )


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        (50, r"scale 50 makes [\d,]+ pixels, and 200,000,000 is the most"),
        (0, "scale must be a whole number from 1 on, not 0"),
        (1.5, r"scale must be a whole number from 1 on, not 1\.5"),
    ],
)
def test_a_png_that_never_ends_is_refused(scale: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explorer(recording()).png(scale=scale)


def test_a_png_shows_the_same() -> None:
    made = explorer(recording())
    svg = ElementTree.fromstring(made.svg(layer=5, head=6))
    try:
        image = Image.open(io.BytesIO(made.png(layer=5, head=6, scale=3)))
    except ValueError as error:
        pytest.skip(str(error))  # no font on this machine
    assert image.size == (3 * int(svg.get("width", 0)), 3 * int(svg.get("height", 0)))
    cells = [box for box in svg.iter(f"{SVG}rect") if box.get("width") == "24.0"]
    for cell in cells[::17]:
        x, y = (round(3 * (float(cell.get(name, 0)) + 12)) for name in ("x", "y"))
        drawn = image.convert("RGB").crop((x, y, x + 1, y + 1)).tobytes()
        assert f"#{drawn.hex()}" == cell.get("fill")


def test_a_map_without_tokens_has_numbers() -> None:
    values = np.array([[0.0, 1.0], [np.nan, -0.5]])
    figure = heatmap(values)
    np.testing.assert_array_equal(figure.data[0].z, values)  # pyrefly: ignore[missing-attribute]
    assert (figure.data[0].zmin, figure.data[0].zmax) == (-1, 1)  # pyrefly: ignore[missing-attribute]


def test_a_heatmap_is_light_or_dark() -> None:
    for dark, ground in ((False, "#ffffff"), (True, "#0e1117")):
        figure = heatmap(CROSS[0, 0], TARGET, SOURCE, "cross 1.1", dark)
        drawn = figure.to_dict()
        assert drawn["layout"]["paper_bgcolor"] == ground
        np.testing.assert_array_equal(np.array(figure.data[0]["z"]), CROSS[0, 0])
