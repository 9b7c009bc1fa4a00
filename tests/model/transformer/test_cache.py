import pytest
import torch
from torch import Tensor

from model.sites.tap import Recorder
from model.transformer.cache import KeyValueCache
from model.transformer.transformer import Transformer

SOURCE = torch.tensor([[40, 41, 42, 43, 2]])
TARGET = torch.tensor([[1, 60, 61, 62, 63, 64]])


@pytest.fixture(scope="module")
def encoded(model: Transformer) -> tuple[Tensor, Tensor]:
    return model.encode(SOURCE)


def test_steps_of_any_size_score_as_the_whole_does(
    model: Transformer, encoded: tuple[Tensor, Tensor]
) -> None:
    cache = KeyValueCache(model.config.decoder_layers)
    ends = (2, 3, 6)
    parts = [model.decode(TARGET[:, :end], *encoded, cache=cache) for end in ends]
    assert [part.size(1) for part in parts] == [2, 1, 3]
    assert cache.length == 6
    whole = model.decode(TARGET, *encoded)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-5, rtol=1e-5)


def test_rows_can_be_chosen_and_all_forgotten(
    model: Transformer, encoded: tuple[Tensor, Tensor]
) -> None:
    cache = KeyValueCache(model.config.decoder_layers)
    rows = torch.tensor([[1, 60, 61], [1, 70, 71]])
    model.decode(rows, *encoded, cache=cache)
    cache.select(torch.tensor([1, 1, 0]))
    longer = torch.cat([rows[[1, 1, 0]], torch.tensor([[50], [51], [52]])], dim=1)
    step = model.decode(longer, *encoded, cache=cache)
    torch.testing.assert_close(step, model.decode(longer, *encoded)[:, -1:], atol=1e-5, rtol=1e-5)
    cache.select(None)
    assert cache.length == 0


def test_a_cached_step_passes_the_same_sites_as_a_whole_run(
    model: Transformer, encoded: tuple[Tensor, Tensor]
) -> None:
    whole, step, cache = Recorder(), Recorder(), KeyValueCache(model.config.decoder_layers)
    model.decode(TARGET, *encoded, whole)
    model.decode(TARGET[:, :-1], *encoded, cache=cache)
    model.decode(TARGET, *encoded, step, cache)
    assert list(step.finish()) == list(whole.finish())
    weights = "decoder.1.self_attn.weights"
    torch.testing.assert_close(
        step.recorded[weights][..., 0, :], whole.recorded[weights][..., -1, :], atol=1e-5, rtol=1e-5
    )
