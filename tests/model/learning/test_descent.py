from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from model.learning.descent import Descent, descend
from model.learning.example import batch, training_example
from model.learning.master_weights import MasterWeights
from model.learning.recipe import MOST_PIECES, MOST_STEPS, Optimizer, Recipe, Start
from model.transformer.layers import DecoderLayer, EncoderLayer
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator

SOURCE, TARGET = "My sister drinks water.", "Ma sœur boit de l'eau."

Ids = tuple[tuple[int, ...], tuple[int, ...]]
Descend = Callable[..., Descent]


@pytest.fixture
def run(translator: Translator, ids: Ids) -> Descend:
    """Descend on the tiny model; keywords change the recipe."""

    def run(seconds: float = 60.0, **changes: object) -> Descent:
        recipe = replace(Recipe(steps=3, rate=0.1), **changes)  # pyrefly: ignore[bad-argument-type]
        limits = translator.limits(translator.source(SOURCE))
        given = translator.model, translator.tokenizers, *ids, limits, recipe
        return descend(*given, seconds=seconds)

    return run


def torchs_loss(model: Transformer, ids: Ids) -> Tensor:
    source, given, targets = batch(*ids)
    return functional.cross_entropy(model(source, given)[0], targets, label_smoothing=0.1)


def learner(translator: Translator) -> Transformer:
    """A copy of the tiny model that can learn."""
    model = Transformer(translator.config).eval()
    model.load_state_dict(translator.model.state_dict())
    return model


def block_of(name: str) -> str:
    """Name the block of a weight, by a table of its own."""
    if name.startswith("embedding"):
        return "embedding"
    stack, _, layer, part = name.split(".")[:4]
    table = {
        ("encoder", "norm1"): "self_attn",
        ("encoder", "norm2"): "ffn",
        ("decoder", "norm1"): "self_attn",
        ("decoder", "norm2"): "cross_attn",
        ("decoder", "norm3"): "ffn",
    }
    return f"{stack}.{layer}.{table.get((stack, part), part)}"


def test_gradients_agree_with_finite_differences(
    translator: Translator, ids: Ids, run: Descend
) -> None:
    """Moved along its own gradient, each block changes the loss by the gradient's norm."""
    found = run()
    model, moved = learner(translator).double(), 1e-4
    torchs_loss(model, ids).backward()
    for number, block in enumerate(found.blocks):
        weights = [p for name, p in model.named_parameters() if block_of(name) == block]
        gradients = [p.grad for p in weights if p.grad is not None]
        norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
        with torch.no_grad():
            losses = []
            for way in (moved, -2 * moved):
                for weight, gradient in zip(weights, gradients, strict=True):
                    weight += way * gradient / norm
                losses.append(torchs_loss(model, ids).item())
            for weight, gradient in zip(weights, gradients, strict=True):
                weight += moved * gradient / norm
        slope = (losses[0] - losses[1]) / (2 * moved)
        assert found.gradients[0, number] == pytest.approx(slope, rel=1e-3)


def test_blocks_are_all_weights_once(translator: Translator, run: Descend) -> None:
    found = run()
    names = [name for name, _ in translator.model.named_parameters()]
    assert set(found.blocks) == {block_of(name) for name in names}
    layers = 2 * translator.config.encoder_layers + 3 * translator.config.decoder_layers
    assert len(found.blocks) == 1 + layers
    squares = sum(float(p.norm()) ** 2 for p in translator.model.parameters())
    assert (found.weights**2).sum() == pytest.approx(squares, rel=1e-4)


def test_the_loss_before_is_the_trainers_and_falls(translator: Translator, run: Descend) -> None:
    found = run(steps=4)
    losses = [moment.loss for moment in found.moments]
    assert losses[0] == pytest.approx(
        training_example(translator, translator.pair_ids(SOURCE, TARGET)).loss,
        rel=1e-5,
    )
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == found.taken + 1 == 5


def test_a_small_step_lowers_the_loss_by_rate_times_gradient_squared(run: Descend) -> None:
    rate = 1e-3
    found = run(steps=1, rate=rate, clip=1e9)
    expected = rate * float((found.gradients[0].astype(float) ** 2).sum())
    fallen = found.moments[0].loss - found.moments[1].loss
    assert fallen == pytest.approx(expected, rel=0.05)


def test_a_plain_step_is_torchs_sgd_with_the_clip(
    translator: Translator, ids: Ids, run: Descend
) -> None:
    found = run(steps=2, rate=0.3)
    model = learner(translator)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    before = {name: value.clone() for name, value in model.named_parameters()}
    changes: list[tuple[str, Tensor]] = []
    for step in range(2):
        optimizer.zero_grad()
        torchs_loss(model, ids).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step == 0:
            changes = [(block_of(n), p.detach() - before[n]) for n, p in model.named_parameters()]
    for number, block in enumerate(found.blocks):
        change = torch.cat([one.flatten() for name, one in changes if name == block]).norm()
        assert found.updates[0, number] == pytest.approx(change.item(), rel=1e-3)
    assert found.moments[2].loss == pytest.approx(torchs_loss(model, ids).item(), rel=1e-4)
    assert found.moments[2].translation == translator.tokenizer.decode(greedy(model, ids))


def greedy(model: Transformer, ids: Ids) -> list[int]:
    """Translate by the plain rule, one whole pass a piece."""
    source, prefix = torch.tensor([ids[0]]), [ids[1][0]]
    with torch.no_grad():
        while prefix[-1] != ids[1][-1] and len(prefix) < 2 * len(ids[0]) + 10:
            prefix.append(int(model(source, torch.tensor([prefix]))[0, -1].argmax()))
    return prefix


def test_the_runs_step_is_the_trainers_optimizers(
    translator: Translator, ids: Ids, run: Descend
) -> None:
    found = run(steps=2, rate=1e-2, optimizer="run")
    model = learner(translator)
    masters = MasterWeights(model, torch.float32, 1e-2, 0.01, 0.15)
    for _ in range(2):
        torchs_loss(model, ids).backward()
        masters.collect()
        masters.step(1e-2, 1.0)
    assert found.moments[2].loss == pytest.approx(torchs_loss(model, ids).item(), rel=1e-4)
    assert (found.updates > 0).all()


def bare_pass(model: Transformer, ids: Ids) -> Tensor:
    """The loss of a model written out here without any residual connection."""
    source, given, targets = batch(*ids)
    everywhere = torch.ones(1, 1, source.size(1), dtype=torch.bool)
    past = torch.ones(given.size(1), given.size(1), dtype=torch.bool).tril()[None]
    x = model.embed(source)
    for layer in model.encoder.layers:
        assert isinstance(layer, EncoderLayer)
        x = layer.norm1(layer.self_attn(x, x, everywhere))
        x = layer.norm2(layer.ffn(x))
    y = model.embed(given)
    for layer in model.decoder.layers:
        assert isinstance(layer, DecoderLayer)
        y = layer.norm1(layer.self_attn(y, y, past))
        y = layer.norm2(layer.cross_attn(y, x, everywhere))
        y = layer.norm3(layer.ffn(y))
    return functional.cross_entropy(model.output(y)[0], targets, label_smoothing=0.1)


def test_without_residuals_the_gradients_are_those_of_a_model_that_has_none(
    translator: Translator, ids: Ids, run: Descend
) -> None:
    found = run()
    model = learner(translator)
    loss = bare_pass(model, ids)
    loss.backward()
    assert found.bare_loss == pytest.approx(loss.item(), rel=1e-4)
    for number, block in enumerate(found.blocks):
        gradients = [
            p.grad.flatten()
            for name, p in model.named_parameters()
            if block_of(name) == block and p.grad is not None
        ]
        assert found.bare[number] == pytest.approx(torch.cat(gradients).norm().item(), rel=1e-2)


def test_attention_before_is_the_recorded_one_and_moves(
    translator: Translator, run: Descend
) -> None:
    found = run(rate=0.5)
    recording = translator.record(SOURCE, TARGET)
    for kind in ("encoder", "decoder", "cross"):
        weights = found.attention(kind)
        assert weights.shape[0] == found.taken + 1
        np.testing.assert_allclose(weights[0], recording.attention(kind), atol=1e-6)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
        assert np.abs(weights[-1] - weights[0]).max() > 1e-4
    assert list(found.input_tokens) == recording.target_tokens
    assert list(found.source_tokens) == recording.source_tokens


def test_translations_are_those_of_the_copy(translator: Translator, run: Descend) -> None:
    found = run(steps=12, rate=0.5)
    assert found.moments[0].translation == translator.translate(SOURCE).text
    assert found.moments[-1].translation != found.moments[0].translation
    assert found.moments[-1].translation.startswith("Ma sœur boit")


@pytest.mark.parametrize("optimizer", ["plain", "run"])
@pytest.mark.parametrize("start", ["trained", "fresh"])
def test_the_shared_weights_are_bit_for_bit_the_same_after(
    translator: Translator, run: Descend, optimizer: Optimizer, start: Start
) -> None:
    model = translator.model
    before = {name: value.clone() for name, value in model.state_dict().items()}
    state = torch.get_rng_state()
    run(optimizer=optimizer, start=start, rate=0.5)
    after = model.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert not any(p.requires_grad or p.grad is not None for p in model.parameters())
    assert not model.training
    assert torch.equal(torch.get_rng_state(), state)


def test_the_shipped_weights_are_bit_for_bit_the_same_after() -> None:
    shipped = load_translator("en-fr")
    before = {name: value.clone() for name, value in shipped.model.state_dict().items()}
    limits = shipped.limits(shipped.source("I love you."))
    ids = shipped.pair_ids("I love you.", "Je t'adore.")
    found = descend(shipped.model, shipped.tokenizers, *ids, limits, Recipe(steps=2, rate=0.1))
    assert (found.recipe.steps, found.recipe.rate) == (2, 0.1)
    after = shipped.model.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert found.moments[1].loss < found.moments[0].loss


def test_a_fresh_start_has_seeded_random_weights(
    translator: Translator, ids: Ids, run: Descend
) -> None:
    found = run(start="fresh")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Transformer(translator.config).eval()
    assert found.moments[0].loss == pytest.approx(torchs_loss(model, ids).item(), rel=1e-5)


def test_the_time_bounds_the_steps(run: Descend) -> None:
    found = run(steps=20, seconds=0.0)
    assert found.taken == 1
    assert found.recipe.steps == 20


def test_nothing_can_be_written_into_a_descent(run: Descend) -> None:
    found = run(steps=1)
    for array in (found.gradients, found.updates, found.weights, found.bare, found.cross):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"steps": 0}, f"steps must be 1 to {MOST_STEPS}, not 0"),
        ({"steps": 21}, "not 21"),
        ({"rate": 0.0}, "rate must be above 0"),
        ({"rate": float("nan")}, "rate must be above 0"),
        ({"optimizer": "lion"}, "optimizer must be one of"),
        ({"start": "middle"}, "start must be one of"),
    ],
)
def test_what_is_out_of_bounds_is_refused(changes: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        replace(Recipe(), **changes)  # pyrefly: ignore[bad-argument-type]


def test_long_sentences_are_refused(translator: Translator) -> None:
    ids = translator.pair_ids("My sister. " * 30, TARGET)
    limits = translator.limits(translator.source(SOURCE))
    with pytest.raises(ValueError, match=f"at most {MOST_PIECES} pieces"):
        descend(translator.model, translator.tokenizers, *ids, limits, Recipe(steps=1))
