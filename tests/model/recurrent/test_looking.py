"""Looking in another way with trained weights, against what the words of it say."""

import pickle

import numpy as np
import pytest
import torch

from model.recurrent.looking import Looking
from model.translator import Translator

SENTENCE = "The animal crossed the river."
ATTENTION = "decoder.0.cross_attn"


def looked(translator: Translator, looking: Looking) -> tuple[str, dict[str, np.ndarray]]:
    found = translator.look(SENTENCE, looking)
    arrays = found.recording.arrays
    parts = {n.rpartition(".")[2]: a for n, a in arrays.items() if n.startswith(ATTENTION)}
    return found.translation.text, parts


def test_no_change_is_the_translation_as_it_is(recurrent: Translator) -> None:
    text, parts = looked(recurrent, Looking())
    plain = recurrent.translate(SENTENCE)
    assert text == plain.text
    recording = recurrent.record(SENTENCE, plain)
    for name, array in parts.items():
        np.testing.assert_array_equal(array, recording[f"{ATTENTION}.{name}"])


@pytest.mark.parametrize("kind", ["dot", "general", "additive", "local-p"], indirect=True)
def test_the_largest_weight_takes_one_state_as_it_is(recurrent: Translator) -> None:
    _, parts = looked(recurrent, Looking("largest"))
    (weights,) = parts["weights"]
    np.testing.assert_array_equal(np.sort(weights, axis=1)[:, -2:], [[0, 1]] * len(weights))
    source = recurrent.record(SENTENCE)["encoder.memory"]
    np.testing.assert_array_equal(parts["context"], source[weights.argmax(axis=1)])
    if recurrent.network.config.kind != "local-p":
        np.testing.assert_array_equal(weights.argmax(1), parts["scores"][0].argmax(1))


@pytest.mark.parametrize("kind", ["additive"], indirect=True)
def test_a_drawn_position_depends_on_the_seed_and_follows_the_weights(
    recurrent: Translator,
) -> None:
    def positions(seed: int) -> list[int]:
        return looked(recurrent, Looking("drawn", seed))[1]["weights"][0].argmax(1).tolist()

    assert positions(3) == positions(3)
    assert len({tuple(positions(seed)) for seed in range(6)}) > 1
    plain = recurrent.record(SENTENCE, recurrent.translate(SENTENCE)).attention("cross")[0, 0, 0]
    weights = torch.from_numpy(plain.copy())[None, None, None]
    drawn = [Looking("drawn", s)._chosen(weights).argmax(-1).item() for s in range(4000)]
    shares = np.bincount(np.array(drawn, dtype=int), minlength=len(plain)) / len(drawn)
    np.testing.assert_allclose(shares, plain, atol=0.03)
    # Weights inside a window may sum to less than one: their shares count.
    less = [Looking("drawn", s)._chosen(weights / 3).argmax(-1).item() for s in range(99)]
    assert less == drawn[:99]


def test_every_step_draws_by_itself() -> None:
    certain = torch.tensor([[[[1.0, 0, 0], [0, 0, 1], [0, 1, 0]]]])
    for seed in range(9):
        assert torch.equal(Looking("drawn", seed)._chosen(certain), certain)
    drawn = Looking("drawn", 3)._chosen(torch.ones(1, 1, 5, 1000))
    assert len(set(drawn.argmax(-1).flatten().tolist())) == 5


@pytest.mark.parametrize("kind", ["general"], indirect=True)
def test_temperature_goes_from_the_largest_to_the_plain_mean(recurrent: Translator) -> None:
    cold, hot = (looked(recurrent, Looking(temperature=t))[1]["weights"] for t in (1e-4, 1e5))
    np.testing.assert_allclose(cold.max(axis=-1), 1, atol=1e-3)
    np.testing.assert_allclose(hot, 1 / hot.shape[-1], atol=1e-3)


@pytest.mark.parametrize("kind", ["local-p"], indirect=True)
@pytest.mark.parametrize("window", [1.5, 2.0])
def test_window_sigma_and_centre_of_local_attention_can_be_set(
    recurrent: Translator, window: float
) -> None:
    _, parts = looked(recurrent, Looking(window=window, sigma=0.7, monotonic=True))
    steps, pieces = parts["weights"].shape[1:]
    np.testing.assert_array_equal(parts["position"], np.arange(steps))
    for t in range(min(steps, pieces)):
        near = [j for j in range(pieces) if abs(j - t) <= window]
        bell = [np.exp(-((j - t) ** 2) / (2 * 0.7**2)) for j in near]
        np.testing.assert_allclose(parts["gaussian"][0, t, near], bell, rtol=1e-5)
        assert np.count_nonzero(parts["weights"][0, t]) == len(near)


@pytest.mark.parametrize("kind", ["local-p"], indirect=True)
def test_a_centre_beyond_the_source_leaves_no_weight_and_no_broken_number(
    recurrent: Translator,
) -> None:
    """p_t = t runs past a short source: nothing is near, and the context is zero."""
    _, parts = looked(recurrent, Looking(window=1.0, monotonic=True))
    assert all(np.isfinite(array).all() for name, array in parts.items() if name != "scores")
    steps, pieces = parts["weights"].shape[1:]
    assert steps > pieces + 1, "the translation is too short to run past the source"
    assert not parts["weights"][0, pieces + 1 :].any()


@pytest.mark.parametrize(
    ("kind", "looking", "said"),
    [
        ("none", Looking("largest"), "^a model with a fixed vector has no weights to change$"),
        ("bahdanau", Looking(temperature=2.0), "wait for its attention cannot look otherwise"),
        ("dot", Looking(window=2.0), "only local-p attention has a window, not dot"),
    ],
    indirect=["kind"],
)
def test_what_a_kind_has_not_is_refused(recurrent: Translator, looking: Looking, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        looked(recurrent, looking)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"choosing": "best"}, "choosing must be one of"),
        ({"temperature": 0.0}, "temperature must be above 0"),
        ({"sigma": -1.0}, "sigma must be above 0"),
        ({"seed": -1}, "seed must be 0 or more"),
    ],
)
def test_a_wrong_setting_is_named(setting: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Looking(**setting)  # pyrefly: ignore[bad-argument-type]


@pytest.mark.parametrize("kind", ["local-p"], indirect=True)
def test_a_recording_of_another_way_to_look_survives_pickling(recurrent: Translator) -> None:
    looking = Looking("largest", temperature=2.0, window=2, sigma=1.0, monotonic=True)
    whole = recurrent.look(SENTENCE, looking).recording
    again = pickle.loads(pickle.dumps(whole))
    scores = np.ones_like(whole[f"{ATTENTION}.scores"])
    np.testing.assert_array_equal(again.edited(f"{ATTENTION}.scores", scores), scores / 2)
    assert again.edits.keys() == whole.edits.keys()


@pytest.mark.parametrize("kind", ["local-p"], indirect=True)
def test_a_bell_without_its_minus_grows_with_the_distance(recurrent: Translator) -> None:
    plain = looked(recurrent, Looking(window=2, sigma=1.5))[1]["gaussian"][0]
    _, parts = looked(recurrent, Looking(window=2, sigma=1.5, upside_down=True))
    bell, centre = parts["gaussian"][0], parts["position"]
    distance = np.arange(bell.shape[1]) - centre[:, None]
    expected = np.where(np.abs(distance) <= 2, np.exp((distance / 1.5) ** 2 / 2), 0)
    np.testing.assert_allclose(bell, expected, rtol=1e-4)
    assert plain.max() <= 1
