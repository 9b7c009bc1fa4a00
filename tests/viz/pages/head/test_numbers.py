import numpy as np
import pytest

from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention
from model.recording.sites import KINDS, Kind, layers_of
from tests.viz.inputs import CONFIG, sublayer_of, tiny_recording
from viz.figures.weights import entropy, softmax
from viz.pages.head.numbers import (
    Projection,
    Recorded,
    Sublayer,
    Teaching,
    chain,
    concat_against_sum,
    differences,
    products,
    slices_against_separate,
    switched_off,
)

EVERY_LAYER = [(kind, layer) for kind in KINDS for layer in range(layers_of(kind, CONFIG))]


@pytest.mark.parametrize(("kind", "layer"), EVERY_LAYER)
def test_every_link_of_every_head_is_what_the_model_computed(kind: Kind, layer: int) -> None:
    sublayer, recorded = sublayer_of(kind, layer)
    for head in range(CONFIG.heads):
        for query in range(len(sublayer.x)):
            found = differences(sublayer, recorded, head, query)
            assert set(found) == {"q", "k", "v", "scores", "weights", "z", "out"}
            assert max(found.values()) < 1e-5


def test_a_wrong_weight_shows_in_the_difference() -> None:
    sublayer, recorded = sublayer_of("encoder", 0)
    weight = sublayer.k.weight.copy()
    weight[0, 0] += 0.5
    wrong = Sublayer(
        sublayer.x, sublayer.source, sublayer.q, Projection(weight, sublayer.k.bias),
        sublayer.v, sublayer.out, sublayer.allowed, sublayer.heads,
    )  # fmt: skip
    found = differences(wrong, recorded, 0, 1)
    assert found["k"] > 1e-2
    assert found["q"] < 1e-5


def test_a_chain_worked_out_by_hand() -> None:
    one = Projection(np.eye(2), np.zeros(2))
    sublayer = Sublayer(
        np.array([[1.0, 2.0]]),
        np.array([[1.0, 0.0], [0.0, 3.0], [5.0, 5.0]]),
        one,
        one,
        one,
        Projection(np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.0])),
        np.array([[True, True, False]]),
        1,
    )
    empty = np.zeros((1, 1, 2))
    recorded = Recorded(empty, empty, empty, np.zeros((1, 1, 3)), empty, empty + 1, empty)
    found = chain(sublayer, recorded, 0, 0)
    np.testing.assert_allclose(found.dots, [1, 6, 15])
    assert found.divisor == pytest.approx(2**0.5)
    np.testing.assert_allclose(found.scores, np.array([1, 6, 15]) / 2**0.5)
    second = 1 / (1 + np.exp(-5 / 2**0.5))
    np.testing.assert_allclose(found.weights, [1 - second, second, 0])
    np.testing.assert_allclose(found.z, [1 - second, 3 * second])
    np.testing.assert_allclose(found.out, [2 * (1 - second) + 0.5, 3 * second])


def test_products_add_up_to_the_dots() -> None:
    sublayer, recorded = sublayer_of("cross", 1)
    found = chain(sublayer, recorded, 2, 3)
    np.testing.assert_allclose(products(found).sum(axis=1), found.dots, rtol=1e-12)


def test_masked_keys_get_nothing_and_their_scores_stay() -> None:
    sublayer, recorded = sublayer_of("decoder", 0)
    found = chain(sublayer, recorded, 0, 2)
    assert found.allowed.tolist() == [True] * 3 + [False] * 3
    assert (found.weights[3:] == 0).all()
    assert found.weights.sum() == pytest.approx(1)
    assert np.isfinite(found.scores).all()


def test_cross_attention_reads_queries_and_keys_from_two_stacks() -> None:
    sublayer, recorded = sublayer_of("cross", 2)
    recording = tiny_recording()
    found = chain(sublayer, recorded, 0, 4)
    np.testing.assert_array_equal(found.x, recording["decoder.2.norm1"][4])
    np.testing.assert_array_equal(sublayer.source, recording["encoder.memory"])


def test_without_the_division_the_softmax_saturates() -> None:
    sublayer, recorded = sublayer_of("encoder", 1)
    for query in range(len(sublayer.x)):
        divided = chain(sublayer, recorded, 1, query)
        plain = chain(sublayer, recorded, 1, query, Teaching(divide=False))
        np.testing.assert_allclose(plain.scores, divided.scores * 8**0.5)
        assert entropy(plain.weights) < entropy(divided.weights)


def test_temperature_root_dk_undoes_the_missing_division() -> None:
    sublayer, recorded = sublayer_of("encoder", 1)
    undone = chain(sublayer, recorded, 1, 2, Teaching(divide=False, temperature=8**0.5))
    np.testing.assert_allclose(undone.weights, chain(sublayer, recorded, 1, 2).weights)


def test_a_head_that_is_switched_off_passes_zeros_on() -> None:
    recording = tiny_recording(AblateHead("encoder", 1, 2))
    sublayer, recorded = sublayer_of("encoder", 1, recording)
    assert switched_off(recorded, 2)
    assert not switched_off(recorded, 0)
    found = chain(sublayer, recorded, 2, 0)
    assert (found.concat[-8:] == 0).all()
    assert np.abs(found.z).max() > 0
    assert max(differences(sublayer, recorded, 2, 0).values()) < 1e-5


def test_a_blocked_link_counts_as_masked() -> None:
    recording = tiny_recording(BlockAttention("encoder", 1, 3, 0, 1))
    sublayer, recorded = sublayer_of("encoder", 0, recording)
    assert not chain(sublayer, recorded, 1, 1).allowed[3]
    assert chain(sublayer, recorded, 0, 1).allowed[3]
    assert max(differences(sublayer, recorded, 1, 1).values()) < 1e-5


@pytest.mark.parametrize(("weights", "nats"), [([1, 0, 0], 0), ([0.25] * 4, np.log(4))])
def test_entropy_of_one_key_and_of_all_alike(weights: list[float], nats: float) -> None:
    assert entropy(np.array(weights)) == pytest.approx(nats)


def test_softmax_keeps_large_scores_finite() -> None:
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0, -np.inf])), [0.5, 0.5, 0])


def test_slices_of_one_projection_are_the_heads_own_projections() -> None:
    sublayer, recorded = sublayer_of("encoder", 0)
    for projection in (sublayer.q, sublayer.k, sublayer.v):
        assert slices_against_separate(sublayer.x, projection, CONFIG.heads) < 1e-5
    assert concat_against_sum(recorded.z, sublayer.out) < 1e-5


@pytest.mark.parametrize(
    ("head", "query", "said"),
    [
        (3, 0, "head must be 0 to 2, not 3"),
        (-1, 0, "head must be 0 to 2, not -1"),
        (0, 5, "query must be 0 to 4, not 5"),
        (0, -1, "query must be 0 to 4, not -1"),
    ],
)
def test_a_head_or_query_that_does_not_exist_is_refused(head: int, query: int, said: str) -> None:
    sublayer, recorded = sublayer_of("encoder", 0)
    with pytest.raises(ValueError, match=f"^{said}$"):
        chain(sublayer, recorded, head, query)
