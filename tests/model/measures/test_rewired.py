"""Claims tried on the model, against torch's own attention and plain sums."""

from typing import cast

import numpy as np
import pytest
import torch

from model.measures.rewired import alone, cached_without_mask, exchanged_log_prob
from model.sites.tap import Editor
from model.transformer.layers import DecoderLayer
from model.transformer.transformer import Transformer
from tests.model.uneven import uneven

SOURCE, TARGET = (5, 6, 7, 2), (1, 8, 9, 10, 2)


@pytest.fixture
def made(model: Transformer) -> Transformer:
    return uneven(model.config, seed=5, norms=True).eval()


def test_exchanged_sides_do_not_run_where_the_lengths_differ(made: Transformer) -> None:
    with pytest.raises(ValueError, match="4 vectors come back for 3 pieces"):
        exchanged_log_prob(made, SOURCE, (1, 8, 9, 2))


def test_exchanged_sides_are_what_torch_makes_of_them(made: Transformer) -> None:
    seen: list[float] = []
    memory, _ = made.encode(torch.tensor([SOURCE]))
    x = made.embed_target(torch.tensor([TARGET[:-1]]))
    for layer in cast("list[DecoderLayer]", list(made.decoder.layers)):
        causal = torch.ones(4, 4, dtype=torch.bool).tril()[None]
        x = layer.norm1(x + layer.self_attn(x, x, causal))
        cross = layer.cross_attn
        q, k, v = (cross.split(part) for part in (cross.q(memory), cross.k(x), cross.v(x)))
        z = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        x = layer.norm2(x + cross.out(z.transpose(1, 2).flatten(2)))
        x = layer.norm3(x + layer.ffn(x))
    for row, id_ in zip(made.output(x)[0].double().log_softmax(-1), TARGET[1:], strict=True):
        seen.append(float(row[id_]))
    assert exchanged_log_prob(made, SOURCE, TARGET) == pytest.approx(sum(seen), abs=1e-4)


def test_attention_misses_the_others_and_feed_forward_does_not(made: Transformer) -> None:
    found = alone(made, SOURCE, 1)
    assert found.feed_forward < 1e-5 < 1e-3 < found.attention
    assert alone(made, (5,), 0).attention == 0
    with pytest.raises(ValueError, match="position must be 0 to 3, not 4"):
        alone(made, SOURCE, 4)


def test_a_cache_needs_no_mask(made: Transformer) -> None:
    assert cached_without_mask(made, SOURCE, TARGET[:-1]) < 1e-4
    memory, padding = made.encode(torch.tensor([SOURCE]))
    given = torch.tensor([TARGET[:-1]])
    lifted = made.decode(given, memory, padding, Editor({"decoder.mask": torch.ones_like}))
    masked = made.decode(given, memory, padding)
    assert not np.allclose(lifted[0, 0].detach(), masked[0, 0].detach(), atol=1e-3)
