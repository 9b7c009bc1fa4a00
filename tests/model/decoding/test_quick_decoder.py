"""The quick decoder gives what the model's own, written to be read, gives: of every family."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from model.decoding.quick_decoder import ROOM, QuickDecoder
from model.transformer.config import ModelConfig, Variant
from model.transformer.transformer import Transformer

SOURCE = [40, 41, 42, 43, 2]
VARIANTS: dict[str, dict[str, Any]] = {
    "as the paper has it": {},
    "as Marian has it": {
        "variant": Variant(activation="swish", biased=True, layout="two halves", scaled=False)
    },
    "with GELU": {"variant": Variant(activation="gelu")},
    "with learned positions": {"positions": "learned"},
    "with rotary positions": {"positions": "rotary"},
    "with additive scores": {"scores": "additive"},
    "without ReLU": {"variant": Variant(activation="none")},
}


@pytest.fixture(params=VARIANTS)
def network(request: pytest.FixtureRequest, config: ModelConfig) -> Transformer:
    """Make a model whose biases and norms are as after training: nothing hides behind a zero."""
    torch.manual_seed(4)
    made = Transformer(replace(config, **VARIANTS[request.param])).eval().requires_grad_(False)
    for parameter in made.parameters():
        if parameter.dim() == 1:
            parameter.normal_(mean=0.5, std=0.3)
    return made


def read(network: Transformer, hidden: int = 0) -> tuple[Tensor, Tensor]:
    memory, mask = network.encode(torch.tensor([SOURCE]))
    mask = mask.clone()
    mask[..., :hidden] = False
    return memory, mask


def random_rows(count: int, length: int) -> Tensor:
    drawn = torch.randint(5, 60, (count, length), generator=torch.Generator().manual_seed(3))
    return torch.cat([torch.ones(count, 1, dtype=torch.int64), drawn[:, 1:]], dim=1)


@pytest.mark.parametrize("hidden", [0, 2])
@pytest.mark.parametrize("count", [1, 3])
def test_steps_of_any_size_score_as_the_whole_does(
    network: Transformer, count: int, hidden: int
) -> None:
    memory, mask = read(network, hidden)
    rows, decoder = random_rows(count, 9), QuickDecoder(network, memory, mask)
    found = torch.cat([decoder(rows[:, :end]) for end in (2, 3, 4, 9)], dim=1)
    wanted = network.decode(rows, memory.expand(count, -1, -1), mask.expand(count, -1, -1))
    assert decoder.length == 9
    torch.testing.assert_close(found, wanted, atol=2e-5, rtol=1e-4)


def test_rows_are_chosen_cut_and_forgotten(network: Transformer) -> None:
    memory, mask = read(network)
    decoder = QuickDecoder(network, memory, mask)
    decoder(random_rows(2, 5))
    decoder.select(torch.tensor([1, 1, 0]))
    decoder.cut(4)
    longer = torch.cat([random_rows(2, 5)[[1, 1, 0], :4], torch.tensor([[50], [51], [52]])], dim=1)
    wanted = network.decode(longer, memory.expand(3, -1, -1), mask.expand(3, -1, -1))
    torch.testing.assert_close(decoder(longer), wanted[:, -1:], atol=2e-5, rtol=1e-4)
    decoder.select(None)
    assert decoder.length == 0
    found = decoder(longer[:1])
    torch.testing.assert_close(found, wanted[:1], atol=2e-5, rtol=1e-4)


def test_there_is_room_for_the_longest_prefix_and_no_longer_one(network: Transformer) -> None:
    memory, mask = read(network)
    decoder, longest = QuickDecoder(network, memory, mask), network.config.max_length
    assert longest > ROOM
    row = random_rows(1, longest + 1)
    found = torch.cat([decoder(row[:, :end]) for end in range(1, longest + 1)], dim=1)
    wanted = network.decode(row[:, :longest], memory, mask)
    torch.testing.assert_close(found, wanted, atol=5e-5, rtol=1e-4)
    with pytest.raises(ValueError, match=rf"^{longest + 1} tokens given, at most {longest} fit$"):
        decoder(row)


def test_nothing_of_the_model_is_changed(network: Transformer) -> None:
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    memory, mask = read(network)
    kept = memory.clone()
    QuickDecoder(network, memory, mask)(random_rows(2, 6))
    torch.testing.assert_close(memory, kept, atol=0, rtol=0)
    for name, tensor in network.state_dict().items():
        torch.testing.assert_close(tensor, before[name], atol=0, rtol=0)
