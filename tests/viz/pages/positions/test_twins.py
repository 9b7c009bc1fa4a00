"""The pictures of learned and rotary positions and of longer texts, against counting."""

import numpy as np
import pytest
import torch

from model.transformer.positional import rotated
from tests.viz.drawn import layout, traces
from viz.figures.cosines import cosines
from viz.figures.theme import DARK, LIGHT
from viz.pages.positions.learned import agreement, by_distance, learned_figure
from viz.pages.positions.longer import Curves, longer_figure
from viz.pages.positions.rotary import REACH, Turned, rotary_figure
from viz.pages.positions.table import sinusoids

RANDOM = np.random.default_rng(3)
Q, K = RANDOM.normal(size=(2, 16))


def turned_as_the_model_does(vector: np.ndarray, position: int) -> np.ndarray:
    return rotated(torch.from_numpy(vector)[None], start=position)[0].numpy()


def test_taking_back_the_turn_of_a_recorded_query_and_key_gives_what_was_turned() -> None:
    found = Turned.back(turned_as_the_model_does(Q, 6), turned_as_the_model_does(K, 2), 6, 2)
    np.testing.assert_allclose(found.query, Q[0::2] + 1j * Q[1::2], atol=1e-5)
    np.testing.assert_allclose(found.key, K[0::2] + 1j * K[1::2], atol=1e-5)
    for m, n in ((6, 2), (0, 9), (30, 26)):
        q, k = turned_as_the_model_does(Q, m), turned_as_the_model_does(K, n)
        assert found.score(m, n) == pytest.approx(q @ k / 4, abs=1e-4)
    assert found.score(30, 26) == pytest.approx(found.score(6, 2), abs=1e-9)


def test_arrows_are_the_chosen_pair_and_the_curve_goes_through_the_score() -> None:
    turned = Turned.back(Q, K, 6, 2)
    figure = rotary_figure(turned, 3, 5, LIGHT)
    query, key = turned.at(11, 7)
    arrows = [t for t in traces(figure) if t.name and "position" in t.name]
    assert [t.name for t in arrows] == ["query at position 11", "key at position 7"]
    for trace, value in zip(arrows, (query[3], key[3]), strict=True):
        assert (trace.x[1], trace.y[1]) == (pytest.approx(value.real), pytest.approx(value.imag))
    curve, here = traces(figure)[-2:]
    assert len(curve.x) == 2 * REACH + 1
    at = list(curve.x).index(4)
    assert here.x[0] == 4
    assert here.y[0] == pytest.approx(curve.y[at])


def test_cosines_by_distance_and_agreement_are_those_of_all_pairs() -> None:
    one, other = RANDOM.normal(size=(2, 9, 6))
    found = cosines(one)
    pairs = [(i, j) for i in range(7) for j in range(i + 1, 7)]
    values = []
    for table in (one, other):
        units = table / np.linalg.norm(table, axis=1, keepdims=True)
        values.append([units[i] @ units[j] for i, j in pairs])
    assert found[2, 5] == pytest.approx(values[0][pairs.index((2, 5))])
    assert agreement(one, other, 7) == pytest.approx(np.corrcoef(values)[0, 1])
    apart = [value for (i, j), value in zip(pairs, values[0], strict=True) if j - i == 2]
    assert by_distance(one, 7, 2) == pytest.approx(np.mean(apart))
    assert agreement(one, 3 * one, 9) == pytest.approx(1)


def test_tables_and_their_cosines_are_drawn_with_a_line_where_training_ended() -> None:
    table = sinusoids(np.arange(12), 8, 10000, "interleaved")
    figure = learned_figure(table, 0.1 * table, 5, DARK)
    given, alike, learned, alike_learned = traces(figure)
    np.testing.assert_allclose(learned.z, 0.1 * given.z, atol=1e-6)
    np.testing.assert_allclose(alike.z, alike_learned.z, atol=1e-6)
    assert (learned.zmin, learned.zmax) == pytest.approx((-0.1, 0.1))
    assert {shape.y0 for shape in layout(figure).shapes if shape.y0 == shape.y1} == {4.5}


def curves(loss: float) -> Curves:
    lengths = [1, 9, 25], [8, 24, 96], [loss, loss, 2 * loss], [40.0, 30.0, 3.0]
    return Curves(*lengths, [4, 20, 40], [1.0, 0.9, 0.2], [1.0, 0.5, 0.0])


def test_what_training_never_saw_is_shaded_and_every_twin_has_both_lines() -> None:
    figure = longer_figure({"one": curves(1.0), "other": curves(2.0)}, 24, 20, LIGHT)
    loss, copied, second, _copied = traces(figure)
    assert list(loss.x) == [4.5, 16.5, 60.5]
    assert list(loss.y) == [1, 1, 2]
    assert list(second.y) == [2, 2, 4]
    assert list(copied.y) == [1.0, 0.9, 0.2]
    assert [(shape.x0, shape.x1) for shape in layout(figure).shapes] == [(24.5, 96), (20.5, 40)]
