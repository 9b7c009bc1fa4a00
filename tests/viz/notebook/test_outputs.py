"""Outputs of any model: generate(), tuples, models in models, layers without attention."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from tests.fixtures.explorer_recordings import heads
from viz.notebook import explorer, head_view, model_view

SOURCE, TARGET = ["\u0120The", "\u0120cat", "."], ["<s>", "\u0120Le", "\u0120chat", "."]
ENCODER, DECODER, CROSS = (heads(2, 4, *n, seed=1) for n in ((3, 3), (4, 4), (4, 3)))


def batch(weights: np.ndarray) -> tuple[torch.Tensor, ...]:
    return tuple(torch.tensor(layer[None]) for layer in weights)


def bart() -> Any:  # noqa: ANN401
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(3)
    sizes: dict[str, Any] = {"vocab_size": 30, "d_model": 16, "init_std": 0.6}
    sizes |= {f"{side}_layers": 2 for side in ("encoder", "decoder")}
    sizes |= {f"{side}_attention_heads": 2 for side in ("encoder", "decoder")}
    sizes |= {f"{side}_ffn_dim": 8 for side in ("encoder", "decoder")}
    model = BartForConditionalGeneration(BartConfig(**sizes, forced_eos_token_id=None))
    model.set_attn_implementation("eager")
    return model.eval()


def gpt() -> Any:  # noqa: ANN401
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(3)
    special = {"bos_token_id": 1, "eos_token_id": None, "pad_token_id": 0}
    config = GPT2Config(vocab_size=30, n_embd=16, n_layer=2, n_head=2, **special)
    model = GPT2LMHeadModel(config)
    model.set_attn_implementation("eager")
    return model.eval()


def generated(model: Any, ids: torch.Tensor, beams: int) -> Any:  # noqa: ANN401
    options = {"output_attentions": True, "return_dict_in_generate": True, "do_sample": False}
    mask = torch.ones_like(ids)
    return model.generate(ids, attention_mask=mask, num_beams=beams, max_new_tokens=6, **options)


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.filterwarnings("ignore")
def test_what_generate_returns_is_as_one_pass_over_its_tokens(beams: int, row: int) -> None:
    model, ids = bart(), torch.tensor([[3, 4, 5, 6], [7, 9, 8, 11]])
    outputs = generated(model, ids, beams)
    written = outputs.sequences[row]
    found = explorer.from_outputs(
        outputs, list("abcd"), [f"t{number}" for number in range(len(written))], row=row
    ).recording
    queries = len(found.target_tokens)
    assert 1 < queries < len(written)
    once = model(
        ids[row : row + 1], decoder_input_ids=written[None, :queries], output_attentions=True
    )
    for kind in ("encoder", "decoder", "cross"):
        wanted = torch.cat(getattr(once, f"{kind}_attentions")).detach()
        np.testing.assert_allclose(found.weights(kind), wanted, atol=1e-5)  # pyrefly: ignore[bad-argument-type]


@pytest.mark.parametrize("beams", [1, 2])
@pytest.mark.filterwarnings("ignore")
def test_a_model_of_one_stack_that_generates_is_joined_too(beams: int) -> None:
    model, ids = gpt(), torch.tensor([[3, 4, 5]])
    outputs = generated(model, ids, beams)
    written = outputs.sequences
    tokens = [f"t{number}" for number in range(written.shape[1])]
    found = explorer.from_outputs(outputs, target=tokens).recording
    once = model(written[:, : len(found.target_tokens)], output_attentions=True)
    assert len(found.target_tokens) == written.shape[1] - 1
    wanted = torch.cat(once.attentions).detach()
    np.testing.assert_allclose(found.weights("decoder"), wanted, atol=1e-5)


def test_tuples_are_understood() -> None:
    model, ids = bart(), {"input_ids": torch.tensor([[3, 4, 5]])}
    ids["decoder_input_ids"] = torch.tensor([[2, 6, 7, 8]])
    named = explorer.from_outputs(model(**ids, output_attentions=True), SOURCE, TARGET).recording
    plain = model(**ids, output_attentions=True, return_dict=False)
    found = explorer.from_outputs(plain, SOURCE, TARGET).recording
    for kind in named.kinds:
        np.testing.assert_array_equal(found.weights(kind), named.weights(kind))
    alone = explorer.from_outputs(batch(ENCODER), SOURCE).recording
    np.testing.assert_array_equal(alone.weights("encoder"), ENCODER)


def test_of_models_in_a_model_the_one_that_fits_the_tokens_is_taken() -> None:
    output = SimpleNamespace(
        text_model_output={"attentions": batch(ENCODER)},
        vision_model_output={"attentions": batch(DECODER)},
    )
    for tokens, wanted in ((SOURCE, ENCODER), (TARGET, DECODER)):
        found = explorer.from_outputs(output, tokens).recording
        np.testing.assert_array_equal(found.weights("encoder"), wanted)
    with pytest.raises(ValueError, match=r"choose one, outputs\.text_model_output or outputs\.vis"):
        explorer.from_outputs(output, ["a"])


def test_layers_keep_their_own_numbers() -> None:
    sparse = [None, *batch(ENCODER[:1]), None, *batch(ENCODER[1:])]
    given = explorer.from_outputs({"attentions": sparse}, SOURCE)
    named = explorer.from_outputs({"attentions": batch(ENCODER)}, SOURCE, layers=(2, 4))
    for made in (given, named):
        weights = made.recording.weights("encoder")
        np.testing.assert_array_equal(weights[[1, 3]], ENCODER)
        assert not weights[[0, 2]].any()
        assert made.notes == ("encoder: nothing is shown of layers 1, 3, which have no weights",)
        assert made.svg(head="encoder 4.1")
    for wrong in ((0, 1), (2, 2), (4, 2), (1,)):
        with pytest.raises(ValueError, match="layers must be 2 rising numbers from 1 on"):
            explorer.from_arrays(encoder=ENCODER, source=SOURCE, layers=wrong)


def test_layers_of_another_size_are_named() -> None:
    pruned = (*batch(ENCODER[:1]), *batch(ENCODER[1:, :3]))
    shrunk = (*batch(ENCODER[:1]), *batch(ENCODER[1:, :, :2, :2]))
    for layers, said in ((pruned, "3 heads of 3 x 3"), (shrunk, "4 heads of 2 x 2")):
        with pytest.raises(ValueError, match=f"^attentions: layer 2 has {said} tokens, other"):
            explorer.from_outputs({"attentions": layers}, SOURCE)


def test_rows_below_one_are_drawn_and_the_rest_is_told() -> None:
    least = 0.4 * ENCODER.sum(axis=-1).min()
    made = explorer.from_arrays(encoder=0.4 * ENCODER, source=SOURCE, name="gpt-oss")
    (note,) = made.notes
    assert f"rows add up to {least:.2f} to 1; the rest" in note
    for shown in (made._repr_html_(), made.svg(kind="encoder").replace("\n", " ")):
        assert "the rest goes" in shown


def test_rows_of_nothing_but_nan_are_blank() -> None:
    masked = np.where(np.arange(3)[:, None] == 1, np.nan, ENCODER)
    made = explorer.from_arrays(encoder=masked, source=SOURCE)
    weights = made.recording.weights("encoder")
    assert not weights[:, :, 1].any()
    np.testing.assert_array_equal(weights[:, :, [0, 2]], ENCODER[:, :, [0, 2]])
    assert made.notes == ("encoder: 1 queries look at nothing in some head: blank rows",)


def test_a_long_side_is_cut_by_its_places() -> None:
    count = 785
    long = np.full((1, 2, count, count), 1 / count, np.float32)
    tokens = [f"p{number}" for number in range(count)]
    found = explorer.from_arrays(encoder=long, source=tokens, keys=range(1, 20)).recording
    assert found.source_tokens == tuple(tokens[:19])
    assert found.weights("encoder").shape == (1, 2, 19, 19)
    frames = np.full((1, 2, 4, count), 1 / count, np.float32)
    cut: dict[str, Any] = {"queries": (1, 3), "keys": (5, 6, 7)}
    found = explorer.from_arrays(cross=frames, source=tokens, target=TARGET, **cut).recording
    assert (found.source_tokens, found.target_tokens) == (("p4", "p5", "p6"), ("<s>", "▁chat"))
    with pytest.raises(ValueError, match="at most 256 a side; in a notebook, queries= and keys="):
        explorer.from_arrays(encoder=long, source=tokens)
    with pytest.raises(ValueError, match="the same tokens here: give one"):
        explorer.from_arrays(encoder=ENCODER, source=SOURCE, queries=(1,), keys=(2,))


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (["\u0120d\u00c3\u00a9j\u00c3\u0142", "<|im_end|>"], ["▁déjà", "<|im_end|>"]),
        (["\u00e4\u00bd\u0142\u00e5\u00a5\u00bd", "!"], ["你好", "!"]),
        (["\u0120\u00e4\u00bd", "\u0142"], ["▁<E4><BD>", "<A0>"]),
        (["był", "łódź"], ["był", "łódź"]),
        (["[CLS]", "play", "##ing", "now"], ["[CLS]", "▁play", "ing", "▁now"]),
        (["<s>", "pla", "ying</w>", "now</w>"], ["<s>", "▁pla", "ying", "▁now"]),
        (["", "\n", "a\tb"], ["∅", "↵", "a⇥b"]),
    ],
)
def test_tokens_of_any_tokenizer_are_read_as_text(tokens: list[str], shown: list[str]) -> None:
    weights = np.full((1, 1, len(tokens), len(tokens)), 1 / len(tokens), np.float32)
    made = explorer.from_arrays(encoder=weights, source=tokens)
    assert list(made.recording.source_tokens) == shown
    assert made.page()
    assert made.svg(kind="encoder")
    assert repr(made)


@pytest.mark.parametrize(("text", "fits"), [("حب 你", False), ("👩‍🚀", False), ("été", True)])
def test_a_png_is_right_or_refused(text: str, fits: bool) -> None:
    made = explorer.from_arrays(encoder=np.ones((1, 1, 1, 1)), source=[text])
    if fits:
        assert made.png(kind="encoder")
        return
    with pytest.raises(ValueError, match=r"needs a font with all its letters .*save an SVG"):
        made.png(kind="encoder")


def test_the_calls_of_bertviz_work() -> None:
    tokens = ["[CLS]", "a", "[SEP]", "b"]
    one = head_view(batch(DECODER), tokens, layer=1, heads=[0, 2], html_action="return")
    assert one is not None
    np.testing.assert_array_equal(one.recording.weights("encoder"), DECODER)
    assert "layer=2&heads=1-3" in one.page(one.view)
    two = model_view(batch(DECODER), tokens, 3, html_action="return")
    assert two is not None
    found = two.recording
    assert (found.source_tokens, found.target_tokens) == (("[CLS]", "a", "[SEP]"), ("b",))
    np.testing.assert_array_equal(found.weights("cross"), DECODER[:, :, 3:, :3])
    np.testing.assert_array_equal(found.weights("encoder"), DECODER[:, :, :3, :3])
    both = model_view(
        encoder_attention=batch(ENCODER),
        decoder_attention=batch(DECODER),
        cross_attention=batch(CROSS),
        encoder_tokens=SOURCE,
        decoder_tokens=TARGET,
        include_layers=[1],
        html_action="return",
    )
    assert both is not None
    np.testing.assert_array_equal(both.recording.weights("cross")[1], CROSS[1])
