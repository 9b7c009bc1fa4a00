"""Every rule against torch.optim, and the steps of a matrix against a gradient of torch's own."""

from typing import Any

import numpy as np
import pytest
import torch

from model.learning.optimizers import MOMENTUM, SMOOTHED, Rule, Settings, loss, matrix_steps, walk
from model.translator import Translator

START, STEEP, COUNT = (2.0, -1.5), 12.0, 25
Ids = tuple[tuple[int, ...], tuple[int, ...]]


def of_torch(made: type[torch.optim.Optimizer], **settings: Any) -> np.ndarray:  # noqa: ANN401
    """Walk down the same valley with torch's gradient and optimizer."""
    weights = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    optimizer = made([weights], **settings)
    places = [weights.detach().numpy().copy()]
    for _ in range(COUNT):
        optimizer.zero_grad()
        (0.5 * (weights[0] ** 2 + STEEP * weights[1] ** 2)).backward()
        optimizer.step()
        places.append(weights.detach().numpy().copy())
    return np.array(places)


@pytest.mark.parametrize(
    ("rule", "made", "more"),
    [
        ("plain", torch.optim.SGD, {}),
        ("momentum", torch.optim.SGD, {"momentum": MOMENTUM}),
        ("adagrad", torch.optim.Adagrad, {}),
        ("rmsprop", torch.optim.RMSprop, {"alpha": SMOOTHED}),
        ("adam", torch.optim.Adam, {}),
        ("adam", torch.optim.AdamW, {"weight_decay": 0.3}),
        ("adam", torch.optim.Adam, {"betas": (0.5, 0.7)}),
    ],
)
def test_a_walk_is_torchs(rule: Rule, made: type[torch.optim.Optimizer], more: dict) -> None:
    betas = more.get("betas", (0.9, 0.999))
    settings = Settings(0.05, more.get("weight_decay", 0.0), *betas)
    found = walk(rule, START, STEEP, COUNT, settings)
    np.testing.assert_allclose(found.weights, of_torch(made, lr=0.05, **more), atol=1e-9)
    np.testing.assert_allclose(np.diff(found.weights, axis=0), found.steps, atol=1e-12)


def test_adams_first_step_is_the_rate_whatever_the_gradient() -> None:
    first = walk("adam", START, STEEP, 1, Settings(0.05)).steps[0]
    np.testing.assert_allclose(first, [-0.05, 0.05], rtol=1e-6)
    raw = walk("adam", START, STEEP, 1, Settings(0.05, corrected=False)).steps[0]
    np.testing.assert_allclose(raw / first, 0.1 / np.sqrt(0.001), rtol=1e-6)


def test_decay_pulls_weights_to_zero_without_a_gradient() -> None:
    found = walk("plain", (1.0, 0.0), 1.0, 1, Settings(0.1, 0.5))
    assert found.weights[1].tolist() == pytest.approx([1 - 0.1 - 0.05, 0])
    assert loss(np.array([2.0, 1.0]), 6.0) == pytest.approx(5.0)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="rule must be one of plain"):
        walk("newton", START, STEEP, 1, Settings())  # pyrefly: ignore[bad-argument-type]
    with pytest.raises(ValueError, match="rate and epsilon"):
        Settings(0.0)
    with pytest.raises(ValueError, match="betas must be"):
        Settings(beta2=1.0)


def test_a_matrix_is_given_its_gradients_steps(translator: Translator, ids: Ids) -> None:
    name = "encoder.layers.1.self_attn.q.weight"
    found = matrix_steps(translator.model, *ids, name)
    source, target = torch.tensor([ids[0]]), torch.tensor([ids[1]])
    with torch.enable_grad():
        copy = type(translator.model)(translator.model.config).eval()
        copy.load_state_dict(translator.model.state_dict())
        logits = copy(source, target[:, :-1])[0]
        torch.nn.functional.cross_entropy(logits, target[0, 1:]).backward()
    slope = copy.get_parameter(name).grad
    assert slope is not None
    expected = torch.linalg.svdvals(slope).numpy()
    np.testing.assert_allclose(found.gradient, expected, rtol=1e-3, atol=1e-6 * expected[0])
    np.testing.assert_allclose(found.adam[0], torch.linalg.svdvals(slope.sign())[0], rtol=1e-2)
    assert found.muon[0] < 1.3
    assert found.muon[0] / found.muon[4] < found.gradient[0] / found.gradient[4]
    assert translator.model.get_parameter(name).grad is None
    with pytest.raises(ValueError, match="no matrix 'nothing'"):
        matrix_steps(translator.model, *ids, "nothing")
