import math

import numpy as np
import pytest

from tests.viz.inputs import CONFIG, tiny_model, tiny_recording
from viz.figures.weights import softmax
from viz.pages.layers.numbers import (
    contribution,
    likely_pieces,
    logit_lens,
    norms,
)


def test_the_stream_starts_at_the_input_and_ends_in_the_last_norm() -> None:
    recording = tiny_recording()
    encoder, decoder = recording.stream("encoder"), recording.stream("decoder")
    assert encoder.shape == (CONFIG.encoder_layers + 1, 5, CONFIG.d_model)
    np.testing.assert_array_equal(encoder[0], recording["encoder.input"])
    np.testing.assert_array_equal(encoder[-1], recording["encoder.memory"])
    np.testing.assert_array_equal(decoder[2], recording["decoder.1.norm3"])


def test_stream_and_addition_normalised_are_the_next_stream() -> None:
    recording = tiny_recording()
    for layer in range(CONFIG.decoder_layers):
        found = recording.additions("decoder", layer)
        assert [part.sublayer for part in found] == ["self_attn", "cross_attn", "ffn"]
        for number, part in enumerate(found, start=1):
            norm = tiny_model().get_submodule(f"decoder.layers.{layer}.norm{number}")
            gain, bias = (parameter.numpy() for parameter in norm.parameters())
            total = part.before + part.added
            centred = total - total.mean(axis=-1, keepdims=True)
            deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
            expected = recording[f"decoder.{layer}.norm{number}"]
            np.testing.assert_allclose(centred / deviation * gain + bias, expected, atol=1e-4)


def test_norms_of_a_right_triangle() -> None:
    np.testing.assert_allclose(norms(np.array([[3.0, 4.0], [0.0, 0.0]])), [5, 0])


def test_contributions_of_both_parts_add_up_to_one() -> None:
    rng = np.random.default_rng(2)
    before, added = rng.normal(size=24), rng.normal(size=24)
    assert contribution(before, added) + contribution(added, before) == pytest.approx(1)


@pytest.mark.parametrize(
    ("before", "added", "share"),
    [
        ([1.0, -1.0], [1.0, -1.0], 0.5),
        ([1.0, -1.0], [3.0, -3.0], 0.75),
        ([2.0, -2.0], [-1.0, 1.0], -1.0),
        ([1.0, -1.0], [7.0, 7.0], 0.0),
        ([0.1, -0.1], [0.1, -0.1], 0.5),
        ([0.0, 0.0], [0.0, 0.0], 0.0),
    ],
    ids=["alike", "three times as long", "against", "only a shift", "small", "nothing"],
)
def test_contribution_worked_out_by_hand(
    before: list[float], added: list[float], share: float
) -> None:
    assert contribution(np.array(before), np.array(added)) == pytest.approx(share)


def test_the_lens_at_the_last_layer_is_the_model_s_prediction() -> None:
    recording = tiny_recording()
    embedding = tiny_model().embedding.weight.numpy()
    expected = softmax(recording.logits.astype(np.float64))
    for token in range(len(recording.target_tokens)):
        found = logit_lens(
            recording.stream("decoder")[:, token], embedding, np.zeros(len(embedding)), 4
        )
        assert found.ids.shape == (CONFIG.decoder_layers + 1, 4)
        order = np.argsort(-expected[token], kind="stable")[:4]
        np.testing.assert_array_equal(found.ids[-1], order)
        np.testing.assert_allclose(found.probabilities[-1], expected[token][order], rtol=1e-4)


def test_the_lens_worked_out_by_hand() -> None:
    found = logit_lens(
        np.array([[2.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.0]]), np.zeros(3), 2
    )
    assert found.ids.tolist() == [[1, 2]]
    powers = np.exp([2.0, 1.0, 0.0])
    np.testing.assert_allclose(found.probabilities, [powers[:2] / powers.sum()])


def test_the_lens_adds_the_bias_and_ranks_every_depth_by_itself() -> None:
    rng = np.random.default_rng(4)
    stream, matrix, bias = rng.normal(size=(3, 4)), rng.normal(size=(30, 4)), rng.normal(size=30)
    found = logit_lens(stream, matrix, bias, 7)
    for depth, vector in enumerate(stream):
        scores = [vector @ row + one for row, one in zip(matrix, bias, strict=True)]
        order = sorted(range(30), key=lambda id_: -scores[id_])[:7]
        assert found.ids[depth].tolist() == order
        whole = sum(math.exp(score) for score in scores)
        expected = [math.exp(scores[id_]) / whole for id_ in order]
        np.testing.assert_allclose(found.probabilities[depth], expected)


def test_likely_pieces_are_likely_somewhere_and_in_the_order_of_the_rows() -> None:
    logits = np.array([[0.0, 1.0, 6.0, 0.0], [9.0, 0.0, 1.0, 0.0]])
    assert likely_pieces(logits, 2).tolist() == [2, 0]
    three = np.array([[0.0, 0.0, 0.0, 9.0], [0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 8.0, 0.0]])
    assert likely_pieces(three, 3).tolist() == [3, 1, 2]
    turned = np.array([[0.0, 0.0, 8.0, 0.0], [0.0, 0.0, 0.0, 7.0], [0.0, 9.0, 0.0, 0.0]])
    assert likely_pieces(turned, 3).tolist() == [2, 3, 1]
