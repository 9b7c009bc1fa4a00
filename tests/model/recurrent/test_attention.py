"""Every way to attend, against its formula written out for one pair of states at a time."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.recurrent.attention import ATTENTIONS, Additive, General, LocalPredictive
from model.recurrent.config import RecurrentConfig
from model.sites.tap import Recorder

T, S, REAL = 4, 9, 7  # two source pieces are padding


@pytest.fixture
def states(recurrent_config: RecurrentConfig) -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(3)
    width = recurrent_config.d_state
    mask = torch.arange(S).lt(REAL)[None, None]  # 1 1 S
    return torch.randn(1, T, width), torch.randn(1, S, width), mask


def attention(kind: str, config: RecurrentConfig) -> nn.Module:
    torch.manual_seed(5)
    made = ATTENTIONS[kind](config).requires_grad_(False)
    if isinstance(made, Additive | LocalPredictive):
        nn.init.normal_(made.v)
    return made


def run(
    kind: str, config: RecurrentConfig, states: tuple[Tensor, Tensor, Tensor]
) -> tuple[dict[str, np.ndarray], nn.Module]:
    recorder, made = Recorder(), attention(kind, config)
    made(*states, recorder)
    return {name: tensor[0].numpy() for name, tensor in recorder.finish().items()}, made


def score(made: nn.Module, s: np.ndarray, h: np.ndarray) -> float:
    """e = s . h / sqrt(R), s . W h / sqrt(R) or v . tanh(W [s; h])."""
    if isinstance(made, Additive):
        w = np.concatenate([made.query.weight.numpy(), made.key.weight.numpy()], axis=1)
        return float(made.v.numpy() @ np.tanh(w @ np.concatenate([s, h])))
    if isinstance(made, General):
        return float(s @ made.key.weight.numpy() @ h) / len(s) ** 0.5
    return float(s @ h) / len(s) ** 0.5


def softmax(x: np.ndarray) -> np.ndarray:
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum()


@pytest.mark.parametrize("kind", ["dot", "general", "additive", "local-p"])
def test_scores_follow_the_formula(
    kind: str, recurrent_config: RecurrentConfig, states: tuple[Tensor, Tensor, Tensor]
) -> None:
    found, made = run(kind, recurrent_config, states)
    s, h = (x[0].numpy() for x in states[:2])
    wanted = [[score(made, s[t], h[j]) for j in range(S)] for t in range(T)]
    np.testing.assert_allclose(found["scores"][0], wanted, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("kind", ["dot", "general", "additive"])
def test_weights_are_the_softmax_over_real_pieces_and_mix_their_states(
    kind: str, recurrent_config: RecurrentConfig, states: tuple[Tensor, Tensor, Tensor]
) -> None:
    found, _ = run(kind, recurrent_config, states)
    for t in range(T):
        wanted = softmax(found["scores"][0, t, :REAL])
        np.testing.assert_allclose(found["weights"][0, t, :REAL], wanted, rtol=1e-4, atol=1e-7)
        assert not found["weights"][0, t, REAL:].any()
        mixed = sum(w * h for w, h in zip(wanted, states[1][0].numpy(), strict=False))
        np.testing.assert_allclose(found["context"][t], mixed, rtol=1e-3, atol=1e-5)


def test_local_weights_lie_in_a_bell_around_the_predicted_position(
    recurrent_config: RecurrentConfig, states: tuple[Tensor, Tensor, Tensor]
) -> None:
    found, made = run("local-p", recurrent_config, states)
    assert isinstance(made, LocalPredictive)
    window, w, v = recurrent_config.window, made.position.weight.numpy(), made.v.numpy()
    outside = 0
    for t in range(T):
        centre = REAL / (1 + np.exp(-(v @ np.tanh(w @ states[0][0, t].numpy()))))
        assert found["position"][t] == pytest.approx(centre, rel=1e-4)
        near = [j for j in range(REAL) if abs(j - centre) <= window]
        outside += REAL - len(near)
        align = softmax(found["scores"][0, t, near])
        sigma = window / 2
        bell = np.exp([-((j - centre) ** 2) / (2 * sigma**2) for j in near])
        np.testing.assert_allclose(found["gaussian"][0, t, near], bell, rtol=1e-4, atol=1e-6)
        wanted = np.zeros(S)
        wanted[near] = align * bell
        np.testing.assert_allclose(found["weights"][0, t], wanted, rtol=1e-3, atol=1e-6)
    assert outside, "every piece lies in every window: nothing was tested"


def test_without_attention_every_step_gets_the_last_state_of_either_direction(
    recurrent_config: RecurrentConfig, states: tuple[Tensor, Tensor, Tensor]
) -> None:
    found, _ = run("none", recurrent_config, states)
    h, half = states[1][0].numpy(), recurrent_config.d_state // 2
    assert set(found) == {"context"}
    for t in range(T):
        np.testing.assert_array_equal(found["context"][t, :half], h[REAL - 1, :half])
        np.testing.assert_array_equal(found["context"][t, half:], h[0, half:])


def test_a_window_always_holds_a_piece(recurrent_config: RecurrentConfig) -> None:
    """Even where p_t is as good as S, beyond the last piece."""
    made = LocalPredictive(recurrent_config).requires_grad_(False)
    nn.init.ones_(made.position.weight)
    for sign in (-50.0, 50.0):
        nn.init.constant_(made.v, sign)
        states = torch.ones(1, 1, recurrent_config.d_state)
        mask = torch.ones(1, 1, S, dtype=torch.bool)
        context = made(states, torch.randn(1, S, recurrent_config.d_state), mask)
        assert context.isfinite().all()
