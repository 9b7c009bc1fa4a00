"""The quoted example, masks in two precisions, and what random vectors do."""

import itertools
import math
import re

import numpy as np
import pytest
import torch

from viz.figures.theme import LIGHT
from viz.pages.by_hand.figures import chain_figure, cosine_figure, scale_figure
from viz.pages.by_hand.flow import flow, percent, real
from viz.pages.by_hand.numbers import (
    WIDTHS,
    chain_of,
    cosines,
    jacobian_norms,
    masked_rows,
    pair_cosines,
    random_cosines,
    random_scores,
    share_above,
    spread,
)
from viz.pages.by_hand.scale_panel import curves
from viz.pages.by_hand.words_panel import finding, formula


def test_the_example_that_everybody_quotes() -> None:
    found = chain_of(np.array([112.0, 96.0]), 64)
    assert round(float(found.weights @ [1, -1]), 2) == 0.76
    assert found.divided.tolist() == [14, 12]
    assert [round(float(weight), 2) for weight in found.weights] == [0.88, 0.12]
    assert found.undivided[0] > 0.9999
    assert re.findall(r"mathbf{(.*?)}", formula(found, 64, (1, -1))) == ["0.76", "1.00"]
    drawn = flow(found, 64, ("Thinking", "<Machines>"), (1, -1))
    assert "&lt;Machines&gt;" in drawn
    assert re.findall("e<sup>([^<]*)", drawn) == ["2", "16"]
    assert re.findall("<strong>([^<]*)", drawn) == ["7.4 : 1", "8,886,111 : 1"]
    assert re.findall(r"--share:([^%]*)", drawn) == ["88.08", "100.00"]
    assert re.findall(r"= <b>([^<]*)", drawn) == ["0.76", "1.00"]
    assert finding(found, 64, ("Thinking", "Machines")) == (
        "Divided by √64, “Machines” keeps **12%** of the weight; not divided, **≈ 0%**."
    )


def test_numbers_beyond_any_float_are_written_as_powers() -> None:
    drawn = flow(chain_of(np.array([-999.0, 999.0]), 1), 1, ("a", "b"), (0.5, -9))
    assert "e<sup>1998</sup>" in drawn
    assert "<strong>1 : 5.3 · 10<sup>867</sup></strong>" in drawn
    assert drawn.count("= <b>\N{MINUS SIGN}9.00") == 2
    assert "nan" not in flow(chain_of(np.zeros(2), 8), 8, ("a", "b"), (0, 0))


@pytest.mark.parametrize(
    ("weight", "written"),
    [
        (0, "0%"),
        (1e-9, "≈ 0%"),
        (0.002, "0.2%"),
        (0.12, "12%"),
        (0.998, "99.8%"),
        (1, "100%"),
    ],
)
def test_percents_near_the_ends_have_a_digit_more(weight: float, written: str) -> None:
    assert percent(weight) == written


def test_two_keys_of_the_model_stand_side_by_side() -> None:
    drawn = real(chain_of(np.array([28.0, 22.0]), 32), 32, ("animal", "<The>"), "encoder 6.7")
    assert drawn.count('class="share"') == 2
    assert "&lt;The&gt;" in drawn
    assert "encoder 6.7" in drawn
    drawn = real(chain_of(np.array([28.1593, 21.9327]), 32), 32, ("a", "b"), "")
    assert "6.227 apart" in drawn
    assert "e<sup>6.227</sup> ≈ 506" in drawn


def test_masks_in_two_precisions() -> None:
    rows = {(row.mask, row.precision): row for row in masked_rows((14.0, 12.0))}
    assert all(row.one == (1, 0) for row in rows.values())
    nan = {place for place, row in rows.items() if all(math.isnan(one) for one in row.all)}
    assert nan == {("-inf", "float32"), ("-inf", "float16"), ("-1e9", "float16")}
    assert rows["-1e9", "float32"].all == (0.5, 0.5)
    three = masked_rows((1.0, 2.0, 7.0))[0]
    assert three.one == pytest.approx((1 / (1 + math.e), math.e / (1 + math.e), 0))


def test_the_size_of_the_jacobian_is_that_of_the_whole_matrix() -> None:
    scores = torch.randn(5, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    found = jacobian_norms(scores.softmax(1).numpy())
    for row, size in zip(scores, found, strict=True):
        matrix = torch.autograd.functional.jacobian(lambda s: s.softmax(0), row)
        assert size == pytest.approx(float(torch.linalg.norm(matrix)))


def test_products_of_random_vectors_have_the_variance_d_k() -> None:
    for width in (1, 64, 512):
        raw = random_scores(width)
        assert spread(raw).variance == pytest.approx(width, rel=0.15)
    divided, raw = curves()
    assert len(divided) == len(raw) == len(WIDTHS)
    assert raw[-1].largest > 0.9 > 0.5 > divided[-1].largest
    assert raw[-1].jacobian < 0.3 * divided[-1].jacobian


def test_a_forbidden_key_counts_nowhere() -> None:
    rows = np.array([[1.0, 3.0, -np.inf], [2.0, 2.0, -np.inf]])
    assert spread(rows).variance == pytest.approx(np.var([1, 3, 2, 2]))
    assert share_above(np.array([[0.995, 0.005], [0.5, 0.5]])) == 0.5
    assert share_above(np.array([[0.75, 0.25]]), 0.75) == 0


def test_rows_are_measured_one_by_one() -> None:
    scores = np.log([[0.7, 0.3], [0.5, 0.5]])
    found = spread(scores)
    assert found.largest == pytest.approx(0.6)
    assert found.jacobian == pytest.approx((2 * 0.21 + 2 * 0.25) / 2)


def test_chance_is_the_same_every_time() -> None:
    table = np.random.default_rng(0).normal(size=(5, 8))
    for draw in (lambda: random_scores(8), lambda: random_cosines(8), lambda: pair_cosines(table)):
        np.testing.assert_array_equal(draw(), draw())
    assert [len(random_scores(width)) for width in (8, 125, 512)] == [6400, 1600, 400]
    assert len(random_cosines(8)) == len(pair_cosines(table)) == 3000
    pairs = itertools.combinations(range(5), 2)
    expected = {round(float(cosines(table[[i]], table[[j]])[0]), 9) for i, j in pairs}
    assert {round(float(one), 9) for one in pair_cosines(table)} == expected
    np.testing.assert_allclose(cosines(table * 1e-3, table), 1)


def test_random_directions_come_to_a_right_angle() -> None:
    for width in (8, 256):
        assert random_cosines(width).std() == pytest.approx(width**-0.5, rel=0.1)
    table = np.random.default_rng(0).normal(size=(50, 64))
    found = pair_cosines(table)
    assert (np.abs(found) < 1).all()  # no row is paired with itself


def test_figures_hold_the_numbers() -> None:
    bars = chain_figure(chain_of(np.array([112.0, 96.0]), 64), ["<b>", "b"], LIGHT)
    assert [list(bar.x) for bar in bars.data][1] == [14, 12]  # pyrefly: ignore[missing-attribute]
    divided, raw = curves()
    lines = [line.y for line in scale_figure(divided, raw, 64, LIGHT).data]  # pyrefly: ignore[missing-attribute]
    assert lines[0][-1] == raw[-1].variance
    drawn = cosine_figure({"a": random_cosines(4), "b": random_cosines(64)}, LIGHT)
    assert [round(sum(line.y), 6) for line in drawn.data] == [1, 1]  # pyrefly: ignore[missing-attribute]
