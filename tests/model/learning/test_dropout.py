import numpy as np
import pytest
import torch

from model.learning.dropout import attention_draws, draws, twin_of
from model.learning.example import training_example
from model.translator import Translator

Ids = tuple[tuple[int, ...], tuple[int, ...]]
ROW = 3


def test_draws_differ_and_the_same_seed_draws_the_same(translator: Translator, ids: Ids) -> None:
    found = draws(translator.model, *ids, ROW, 0.25, (0, 1, 0))
    assert not np.array_equal(found.inputs[1], found.inputs[2])
    assert np.array_equal(found.inputs[1], found.inputs[3])
    assert np.array_equal(found.probabilities[1], found.probabilities[3])
    assert not np.array_equal(found.probabilities[1], found.probabilities[2])


def test_dropped_values_are_zero_and_the_rest_is_scaled_up(
    translator: Translator, ids: Ids
) -> None:
    found = draws(translator.model, *ids, ROW, 0.25, range(40))
    plain = found.inputs[0]
    recording = translator.record("My sister drinks water.", "Ma sœur boit de l'eau.")
    np.testing.assert_allclose(plain, recording["decoder.input"][ROW], rtol=1e-6)
    for drawn in found.inputs[1:]:
        kept = drawn != 0
        np.testing.assert_allclose(drawn[kept], plain[kept] / 0.75, rtol=1e-5)
    assert (found.inputs[1:] == 0).mean() == pytest.approx(0.25, abs=0.04)


def test_without_a_rate_every_draw_is_the_model_itself(translator: Translator, ids: Ids) -> None:
    found = draws(translator.model, *ids, ROW, 0.0, (0, 1))
    assert (found.inputs == found.inputs[0]).all()
    example = training_example(
        translator,
        translator.pair_ids("My sister drinks water.", "Ma sœur boit de l'eau."),
    )
    for probabilities in found.probabilities:
        np.testing.assert_allclose(probabilities, example.probabilities[ROW], rtol=1e-4)


def test_the_draw_shown_is_the_one_the_pass_used(translator: Translator, ids: Ids) -> None:
    """The twin's whole pass, run by hand with the same seeds, gives the same distribution."""
    found = draws(translator.model, *ids, ROW, 0.25, (5,))
    twin = twin_of(translator.model, 0.25)
    inputs = []
    embed = twin.embed_target
    twin.embed_target = lambda *given: inputs.append(embed(*given)) or inputs[-1]  # pyrefly: ignore[bad-argument-type, bad-assignment]
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        memory, mask = twin.encode(torch.tensor([ids[0]]))
        torch.manual_seed(5)
        logits = twin.decode(torch.tensor([ids[1][:-1]]), memory, mask)[0, ROW]
    np.testing.assert_array_equal(found.inputs[1], inputs[-1][0, ROW].numpy())
    np.testing.assert_allclose(found.probabilities[1], logits.softmax(0).numpy(), rtol=1e-5)


def test_the_model_and_torchs_random_numbers_stay_as_they_were(
    translator: Translator, ids: Ids
) -> None:
    state = torch.get_rng_state()
    before = {name: value.clone() for name, value in translator.model.state_dict().items()}
    draws(translator.model, *ids, ROW, 0.5, (0,))
    assert torch.equal(torch.get_rng_state(), state)
    assert not translator.model.training
    after = translator.model.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())


def test_a_row_or_rate_that_cannot_be_is_refused(translator: Translator, ids: Ids) -> None:
    with pytest.raises(ValueError, match="row must be 0 to"):
        draws(translator.model, *ids, len(ids[1]) - 1, 0.1, (0,))
    with pytest.raises(ValueError, match="dropout rate"):
        draws(translator.model, *ids, 0, 1.0, (0,))


def test_dropped_weights_are_those_that_made_z(translator: Translator, ids: Ids) -> None:
    found = attention_draws(translator.model, ids[0], (1, 3, 1), 0.25, range(30))
    recording = translator.record("My sister drinks water.", "Ma sœur boit de l'eau.")
    plain = recording.attention("encoder")[1, 3, 1]
    np.testing.assert_allclose(found.weights[0], plain, atol=1e-6)
    values = recording["encoder.1.self_attn.v"][3]
    np.testing.assert_allclose(found.z, found.weights @ values, atol=1e-4)
    for drawn in found.weights[1:]:
        kept = drawn != 0
        np.testing.assert_allclose(drawn[kept], plain[kept] / 0.75, rtol=1e-5)
    assert (found.weights[1:] == 0).mean() == pytest.approx(0.25, abs=0.08)
    assert attention_draws(translator.model, ids[0], (1, 3, 1), 0.0, (0,)).z.std(axis=0).max() == 0
    with pytest.raises(ValueError, match="layer, head and row must be below"):
        attention_draws(translator.model, ids[0], (6, 0, 0), 0.1, (0,))
