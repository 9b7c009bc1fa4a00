"""The first moment of training: gradients, Xavier's bound, and the sizes of vectors."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from torch import nn

from model.learning.beginning import RULES, first_gradients, fresh, sizes, xavier_bound
from model.transformer.config import ModelConfig
from model.transformer.layers import EncoderLayer

CONFIG = ModelConfig(
    vocab_size=31, d_model=16, heads=2, d_ff=32, encoder_layers=6, decoder_layers=6
)
SOURCE, TARGET = (3, 4, 5, 6, 2), (1, 7, 8, 9, 2)


def test_the_draw_is_the_seeds_and_leaves_the_random_state_alone() -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    one, same, other = (fresh(CONFIG, "Xavier's", seed) for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), before)
    name = "encoder.layers.0.self_attn.q.weight"
    assert torch.equal(one.get_parameter(name), same.get_parameter(name))
    assert not torch.equal(one.get_parameter(name), other.get_parameter(name))


@pytest.mark.parametrize("part", ["self_attn.q", "self_attn.v", "ffn.hidden", "ffn.out"])
def test_the_rule_of_xavier_draws_up_to_its_bound(part: str) -> None:
    weight = fresh(CONFIG, "Xavier's", 0).get_parameter(f"encoder.layers.2.{part}.weight")
    weight = weight.detach()
    bound = xavier_bound(weight.shape)
    assert weight.abs().max() == pytest.approx(bound, rel=0.03)
    assert weight.abs().max() <= bound
    assert weight.std() == pytest.approx(bound / 3**0.5, rel=0.08)
    # Glorot and Bengio: the variance is 2 over the sum of both sizes.
    assert bound**2 / 3 == pytest.approx(2 / sum(weight.shape))


@pytest.mark.parametrize("rule", RULES)
def test_the_gradients_are_those_of_torchs_loss(rule: str) -> None:
    assert rule in RULES
    found = first_gradients(CONFIG, SOURCE, TARGET, rule, (4,)).lengths
    model = fresh(CONFIG, rule, 4)
    logits = model(torch.tensor([SOURCE]), torch.tensor([TARGET[:-1]]))[0].log_softmax(-1)
    loss = -logits[range(4), TARGET[1:]].mean()
    for stack in ("encoder", "decoder"):
        weights = [model.get_parameter(f"{stack}.layers.{n}.ffn.out.weight") for n in range(6)]
        gradients = torch.autograd.grad(loss, weights, retain_graph=True)
        expected = [float((one**2).sum() ** 0.5) for one in gradients]
        np.testing.assert_allclose(found["after", stack], [expected], rtol=1e-4)
        assert found["before", stack].shape == (1, 6)


def test_with_norms_after_and_xaviers_rule_the_decoders_gradients_shrink_downwards() -> None:
    found = first_gradients(CONFIG, SOURCE, TARGET, "Xavier's", range(4)).lengths
    ends = {norms: np.log(found[norms, "decoder"]).mean(axis=0) for norms in ("after", "before")}
    assert ends["after"][-1] - ends["after"][0] > np.log(2)
    assert ends["before"][-1] < ends["before"][0]


def test_sizes_are_those_of_a_plain_pass() -> None:
    model = fresh(CONFIG, "this project's", 0)
    state = deepcopy(model.state_dict())
    found = sizes(model, SOURCE, 3.0)
    assert all(torch.equal(one, state[name]) for name, one in model.state_dict().items())
    for layer in model.encoder.layers:
        for parameter in layer.parameters():
            if parameter.dim() > 1:
                parameter.data *= 3
    mask = torch.ones(1, 1, len(SOURCE), dtype=torch.bool)

    def size(x: torch.Tensor) -> float:
        return float(x.detach().pow(2).mean().sqrt())

    normed = bare = model.embed(torch.tensor([SOURCE]))
    added, stream = [], [size(bare)]
    for layer in model.encoder.layers:
        assert isinstance(layer, EncoderLayer)
        for run in (lambda x, of=layer: of.self_attn(x, x, mask), layer.ffn):
            more = run(normed)
            added.append(size(more) / size(normed))
            normed = nn.functional.layer_norm(normed + more, (16,))
            bare = bare + run(bare)
            stream.append(size(bare))
    np.testing.assert_allclose(found.added, added, rtol=1e-4)
    np.testing.assert_allclose(found.stream, stream, rtol=1e-3)
