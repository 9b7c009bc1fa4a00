from copy import deepcopy

import pytest
import torch
from torch import nn

from model.learning.master_weights import MasterWeights
from model.learning.muon import Muon, orthogonalized
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


def small() -> Transformer:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=13, d_model=8, heads=2, d_ff=12, encoder_layers=1, decoder_layers=1, max_length=9
    )
    return Transformer(config)


def take_steps(weights: MasterWeights, count: int, clip: float = 1.0) -> list[float]:
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(3, 13, (count, 2, 5), generator=generator)
    norms = []
    for batch in ids:
        weights.model(batch, batch).float().square().mean().backward()
        weights.collect()
        norms.append(weights.step(1e-2, clip).item())
    return norms


def test_hidden_matrices_go_to_muon_and_the_rest_to_adamw() -> None:
    weights = MasterWeights(small(), torch.float32, 1e-2, 0.0)
    muon, *adamws = weights.optimizers
    names = {id(master): name for name, master in zip(weights.names, weights.masters, strict=True)}
    of_muon = {names[id(p)] for group in muon.param_groups for p in group["params"]}
    of_adamw = {
        names[id(p)] for adamw in adamws for group in adamw.param_groups for p in group["params"]
    }
    assert of_muon | of_adamw == set(weights.names)
    assert not of_muon & of_adamw
    assert "embedding.weight" in of_adamw
    assert "decoder.layers.0.cross_attn.out.weight" in of_muon
    assert all(name.endswith("weight") for name in of_muon)


def test_embeddings_learn_at_their_own_rate() -> None:
    plain, slow = (MasterWeights(small(), torch.float32, 1e-2, 0.0, rate) for rate in (1.0, 0.25))
    before = plain.weights()["embedding.weight"].clone()
    for weights in (plain, slow):
        take_steps(weights, 1)
    moved, moved_slowly = (w.weights()["embedding.weight"] - before for w in (plain, slow))
    assert moved.abs().max() > 0
    assert torch.allclose(moved_slowly, moved / 4, atol=1e-7)
    for name, value in plain.weights().items():
        if name != "embedding.weight":
            assert torch.equal(value, slow.weights()[name])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_model_is_the_rounded_master_after_every_step(dtype: torch.dtype) -> None:
    weights = MasterWeights(small(), dtype, 1e-2, 0.01)
    before = [master.detach().clone() for master in weights.masters]
    take_steps(weights, 3)
    for parameter, master, old in zip(
        weights.model.parameters(), weights.masters, before, strict=True
    ):
        assert (parameter.dtype, master.dtype) == (dtype, torch.float32)
        assert torch.equal(parameter, master.to(dtype))
        assert parameter.grad is None
        assert not torch.equal(master, old)


def test_small_steps_are_not_lost_to_half_precision() -> None:
    weights = MasterWeights(small(), torch.bfloat16, 1e-5, 0.0)
    master = weights.masters[weights.names.index("encoder.layers.0.norm1.weight")]
    for _ in range(5):
        weights.model(torch.tensor([[4, 5]]), torch.tensor([[1, 6]])).float().mean().backward()
        weights.collect()
        weights.step(1e-5, clip=1.0)
    assert (master != 1).all()
    assert ((master - 1).abs() < 1e-3).all()


def test_gradients_are_collected_flat_and_share_their_memory() -> None:
    weights = MasterWeights(small(), torch.float32, 1e-2, 0.0)
    ids = torch.tensor([[4, 5, 6]])
    weights.model(ids, ids).square().mean().backward()
    expected = [p.grad.clone() for p in weights.model.parameters() if p.grad is not None]
    flat = weights.collect()
    found = [master.grad for master in weights.masters if master.grad is not None]
    assert len(expected) == len(found) == len(weights.masters)
    assert all(map(torch.equal, found, expected))
    flat.zero_()
    assert not any(gradient.any() for gradient in found)


def test_the_gradient_is_clipped_by_its_norm() -> None:
    free, tight = (MasterWeights(small(), torch.float32, 1e-2, 0.0) for _ in range(2))
    (norm,) = take_steps(free, 1, clip=1e9)
    (reported,) = take_steps(tight, 1, clip=norm / 10)
    assert reported == pytest.approx(norm)

    def total(weights: MasterWeights) -> float:
        return nn.utils.get_total_norm(
            [m.grad for m in weights.masters if m.grad is not None]
        ).item()

    assert total(free) == pytest.approx(norm, rel=1e-4)
    assert total(tight) == pytest.approx(norm / 10, rel=1e-3)


def test_the_learning_rate_of_a_step_goes_to_both_optimizers() -> None:
    weights = MasterWeights(small(), torch.float32, 1e-2, 0.0)
    weights.model(torch.tensor([[4]]), torch.tensor([[1]])).mean().backward()
    weights.collect()
    before = [master.detach().clone() for master in weights.masters]
    weights.step(0.0, clip=1.0)
    assert all(map(torch.equal, weights.masters, before))
    rates = {group["lr"] for optimizer in weights.optimizers for group in optimizer.param_groups}
    assert rates == {0.0}


def test_a_restored_state_goes_on_bit_for_bit() -> None:
    straight = MasterWeights(small(), torch.bfloat16, 1e-2, 0.01)
    take_steps(straight, 2)
    restored = MasterWeights(small(), torch.bfloat16, 1e-2, 0.01)
    restored.load_state_dict(deepcopy(straight.state_dict()))
    take_steps(straight, 3)
    take_steps(restored, 3)
    assert all(map(torch.equal, straight.masters, restored.masters))


def one_matrix(shape: tuple[int, int]) -> nn.Parameter:
    return nn.Parameter(torch.randn(shape, generator=torch.Generator().manual_seed(2)))


@pytest.mark.parametrize("shape", [(6, 6), (9, 4), (4, 9)])
def test_muon_steps_as_torchs_own_does(shape: tuple[int, int]) -> None:
    ours, theirs = one_matrix(shape), one_matrix(shape)
    optimizers = (
        Muon([ours], 0.02, 0.1),
        torch.optim.Muon([theirs], 0.02, 0.1, adjust_lr_fn="match_rms_adamw"),
    )
    generator = torch.Generator().manual_seed(3)
    for _ in range(4):
        gradient = torch.randn(shape, generator=generator)
        for matrix, optimizer in zip((ours, theirs), optimizers, strict=True):
            matrix.grad = gradient.clone()
            optimizer.step()
    # torch rounds the update, of size 0.02 x 0.2 x 3, to the three digits of bfloat16.
    assert (ours - one_matrix(shape)).abs().max() > 0.01
    torch.testing.assert_close(ours, theirs, atol=6e-4, rtol=0)


def test_a_matrix_is_brought_near_to_orthogonal_in_single_precision() -> None:
    matrix = one_matrix((12, 5)).detach()
    values = torch.linalg.svdvals(orthogonalized(matrix, torch.float32))
    assert orthogonalized(matrix, torch.float32).dtype == torch.float32
    # The quintic does not go to 1 but to 0.7 to 1.2.
    assert values.min() > 0.6
    assert values.max() < 1.3
