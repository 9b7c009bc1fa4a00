"""A model before training: how large its random weights are, and where it drops numbers."""

import math

import pytest
import torch

from model.families import build
from model.recurrent.config import RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.transformer.config import ModelConfig, Variant
from model.transformer.layers import (
    DecoderLayer,
    Dropout,
    EncoderLayer,
    FeedForward,
    MultiHeadAttention,
)
from model.transformer.transformer import Decoder, Encoder, Transformer

SIZES = ModelConfig(99, d_model=64, heads=4, d_ff=96, encoder_layers=2, decoder_layers=3)


@pytest.fixture(scope="module")
def fresh() -> Transformer:
    torch.manual_seed(3)
    return Transformer(SIZES).requires_grad_(False)


def test_matrices_start_as_wide_as_glorot_and_deepnet_have_it(fresh: Transformer) -> None:
    """Glorot's bound is sqrt(6 / (in + out)); 0.87 (2^4 3)^(-1/16) and (12 * 3)^(-1/4) times it."""
    betas = {"encoder": 0.683033, "decoder": 0.4082483}
    seen = {"small": 0, "whole": 0}
    for name, weight in fresh.named_parameters():
        if weight.dim() == 1 or name == "embedding.weight":
            continue
        stack, *_, part, _weight = name.split(".")
        small = part in ("v", "out", "hidden")
        seen["small" if small else "whole"] += 1
        bound = math.sqrt(6 / sum(weight.shape)) * (betas[stack] if small else 1)
        assert 0.995 * bound < float(weight.abs().max()) <= 1.000001 * bound, name
    assert seen == {"small": 2 * 4 + 3 * 6, "whole": 2 * 2 + 3 * 4}


def test_biases_start_at_zero_norms_at_one_and_embeddings_short(fresh: Transformer) -> None:
    for name, weight in fresh.named_parameters():
        if weight.dim() == 1:
            start = 1 if "norm" in name and name.endswith("weight") else 0
            assert torch.equal(weight, torch.full_like(weight, start)), name
    assert float(fresh.embedding.weight.std()) == pytest.approx(1 / 8, rel=0.05)
    assert torch.equal(fresh.embed(torch.tensor([[5]]))[0, 0], fresh.embedding.weight[5] * 8
                       + fresh.get_buffer("positions")[0])  # fmt: skip


def test_a_model_that_does_not_scale_embeddings_takes_them_as_they_are() -> None:
    model = Transformer(ModelConfig(9, d_model=8, heads=2, d_ff=8, variant=Variant(scaled=False)))
    with torch.no_grad():
        entered = model.embed(torch.tensor([[5]]))[0, 0]
        expected = model.embedding.weight[5] + model.get_buffer("positions")[0]
        torch.testing.assert_close(entered, expected)


def rates(model: torch.nn.Module) -> list[int]:
    return [module.threshold for module in model.modules() if isinstance(module, Dropout)]


def test_dropout_reaches_every_part_and_is_off_unless_asked_for() -> None:
    for rate in (0.25, 0.0):
        parts = [
            build(SIZES, rate) if rate else build(SIZES),
            Encoder(SIZES, rate) if rate else Encoder(SIZES),
            Decoder(SIZES, rate) if rate else Decoder(SIZES),
            EncoderLayer(SIZES, rate) if rate else EncoderLayer(SIZES),
            DecoderLayer(SIZES, rate) if rate else DecoderLayer(SIZES),
            FeedForward(SIZES, rate) if rate else FeedForward(SIZES),
            MultiHeadAttention(64, 4, rate) if rate else MultiHeadAttention(64, 4),
        ]
        counts = [1 + 2 * 3 + 3 * 4, 2 * 3, 3 * 4, 3, 4, 1, 1]
        assert [rates(part) for part in parts] == [[int(256 * rate)] * count for count in counts]


@pytest.mark.parametrize(("rate", "threshold"), [(0.1, 26), (0.3, 77), (0.75, 192), (0.999, 255)])
def test_a_rate_of_dropout_is_rounded_to_a_256th(rate: float, threshold: int) -> None:
    assert Dropout(rate).threshold == threshold


def test_a_recurrent_model_starts_orthogonal_from_state_to_state() -> None:
    torch.manual_seed(3)
    config = RecurrentConfig(kind="additive", vocab_size=99, d_model=40, d_state=48, d_score=200)
    model = Recurrent(config, 0.5).requires_grad_(False)
    assert rates(model) == rates(build(config, 0.5)) == [128]
    for name, weight in model.named_parameters():
        if "weight_hh" in name:
            for gate in weight.split(weight.size(1)):
                torch.testing.assert_close(gate @ gate.T, torch.eye(len(gate)), msg=name)
        elif weight.dim() > 1:
            bound = math.sqrt(6 / sum(weight.shape))
            assert 0.99 * bound < float(weight.abs().max()) <= 1.000001 * bound, name
        elif name == "decoder.attention.v":
            assert (float(weight.min()), float(weight.max())) == pytest.approx(
                (-0.1, 0.1), abs=5e-3
            )
        else:
            assert not weight.any(), name
    assert model.embedding.weight.shape == (99, 40)
    assert not any("embedding" in name for name in model.state_dict())
