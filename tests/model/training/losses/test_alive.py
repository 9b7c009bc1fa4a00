import pytest
import torch

from model.sites.sites import Stack
from model.sites.tap import NO_TAP, Editor
from model.training.losses.alive import MARGIN, Entering, alive_loss
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


def test_it_is_zero_where_enough_units_are_above_zero() -> None:
    before = torch.full((5, 50), -1.0)
    before[:, :2] = 1.0
    assert alive_loss(before[:, :2], 0.5) == 0
    assert alive_loss(before, 0.04) == pytest.approx((1 + MARGIN) * 48 / 50)  # sleeping units
    before[0] = 1.0
    assert alive_loss(before, 0.04) == 0


def test_it_lifts_the_nearest_units_of_a_token_and_the_nearest_token_of_a_unit() -> None:
    before = torch.tensor([[-3.0, -1.0, -2.0, 5.0], [-1.5, 5.0, -4.0, -6.0]], requires_grad=True)
    alive_loss(before, 0.5).backward()
    assert before.grad is not None
    assert (before.grad < 0).tolist() == [[False, True, True, False], [True, False, False, False]]


def test_it_sees_every_layer_and_no_padding(config: ModelConfig) -> None:
    torch.manual_seed(0)
    model = Transformer(config).eval()
    src = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
    tgt = torch.tensor([[1, 9, 10], [1, 11, 0]])
    entering = Entering(model)
    logits = model(src, tgt, Editor(entering.edits()))
    assert torch.equal(logits, model(src, tgt, NO_TAP))
    assert len(entering.kept) == config.encoder_layers + config.decoder_layers
    real: dict[Stack, torch.Tensor] = {"encoder": src != 0, "decoder": tgt != 0}
    found = entering.loss(real, 0.9)
    by_hand = []
    for (stack, layer), x in entering.kept.items():
        layers = model.encoder.layers if stack == "encoder" else model.decoder.layers
        by_hand.append(alive_loss(layers[layer].ffn.hidden(x[real[stack]]), 0.9))  # pyrefly: ignore[missing-attribute]
    torch.testing.assert_close(found, torch.stack(by_hand).mean())
    found.backward()
    assert all(
        p.grad is not None for n, p in model.named_parameters() if n.endswith("ffn.hidden.weight")
    )
