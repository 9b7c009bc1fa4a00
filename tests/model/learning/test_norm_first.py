"""Norms before the sublayers: torch's own layers with norm_first, and the same weights as after."""

import pytest
import torch
from torch import nn

from model.learning.norm_first import NormFirst
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from tests.model.transformer.test_layers import copy_layer, randomise

CONFIG = ModelConfig(
    vocab_size=11, d_model=16, heads=2, d_ff=24, encoder_layers=2, decoder_layers=3
)
SOURCE, TARGET = torch.tensor([[3, 4, 5, 0], [6, 7, 8, 9]]), torch.tensor([[1, 3, 4], [1, 5, 6]])


@pytest.fixture(scope="module")
def after() -> Transformer:
    torch.manual_seed(5)
    model = Transformer(CONFIG).eval()
    for stack in (model.encoder, model.decoder):
        randomise(stack)
    return model


def test_it_is_torchs_with_norm_first(after: Transformer) -> None:
    model = NormFirst(after).eval()
    sizes = {"dim_feedforward": 24, "dropout": 0.0, "batch_first": True, "norm_first": True}
    padding, ahead = SOURCE == 0, torch.ones(3, 3, dtype=torch.bool).triu(1)
    memory = model.embed(SOURCE)
    for layer in after.encoder.layers:
        reference = nn.TransformerEncoderLayer(16, 2, **sizes)
        copy_layer(layer, reference)  # pyrefly: ignore[bad-argument-type]
        memory = reference(memory, src_key_padding_mask=padding)
    memory = nn.functional.layer_norm(memory, (16,))
    found, mask = model.encode(SOURCE)
    torch.testing.assert_close(found, memory)
    x = model.embed_target(TARGET)
    for layer in after.decoder.layers:
        reference = nn.TransformerDecoderLayer(16, 2, **sizes)
        copy_layer(layer, reference)  # pyrefly: ignore[bad-argument-type]
        x = reference(x, memory, tgt_mask=ahead, memory_key_padding_mask=padding)
    logits = nn.functional.layer_norm(x, (16,)) @ after.embedding.weight.T
    torch.testing.assert_close(model.decode(TARGET, found, mask), logits)


def test_all_weights_are_taken_over_and_none_shared(after: Transformer) -> None:
    model = NormFirst(after)
    own = dict(model.named_parameters())
    for name, parameter in after.named_parameters():
        torch.testing.assert_close(own.pop(name), parameter)
    assert {name.rpartition(".")[0] for name in own} == {"encoder.norm", "decoder.norm"}
    assert model.embedding.weight.data_ptr() != after.embedding.weight.data_ptr()
