"""Add & norm and feed-forward against torch, and the places of heads."""

import re

import numpy as np
import pytest
import torch
from torch import nn

from tests.viz.drawn import layout, traces
from viz.figures.theme import LIGHT
from viz.pages.block.add_norm import busiest, rows_of
from viz.pages.block.ffn_figures import hidden_figure
from viz.pages.block.ffn_numbers import ACTIVATIONS, FeedForward, ends, silent
from viz.pages.block.ffn_panel import firing
from viz.pages.block.heads_figures import GAP, split_figure, whole_figure
from viz.pages.block.heads_panel import formula
from viz.pages.block.norm_figures import spread_figure
from viz.pages.block.norm_numbers import add_norm, half_width, means
from viz.pages.block.norm_panel import finding, formulas

generator = np.random.default_rng(5)
X, ADDED = generator.normal(size=(2, 16))


def test_add_and_norm_is_torchs() -> None:
    norm = nn.LayerNorm(16).double()
    nn.init.normal_(norm.weight)
    nn.init.normal_(norm.bias)
    gain, bias = norm.weight.detach().numpy(), norm.bias.detach().numpy()
    shown = add_norm(X, ADDED, gain, bias)
    np.testing.assert_allclose(shown.out, norm(torch.tensor(X + ADDED)).detach(), atol=1e-12)
    alone = add_norm(X, ADDED, gain, bias, residual=False)
    np.testing.assert_allclose(alone.out, norm(torch.tensor(ADDED)).detach(), atol=1e-12)
    written = re.search(r"\\mathbf\{(.*)\}", formulas(shown, 0)[-1])
    assert written
    assert float(written[1]) == pytest.approx(shown.out[0], abs=0.006)
    assert "x +" not in formulas(alone, 0)[0]


@pytest.mark.parametrize("at", range(16))
def test_the_numbers_of_a_formula_give_its_result_as_they_are_written(at: int) -> None:
    gain, bias = generator.normal(size=(2, 16))
    first, *_others, last = formulas(add_norm(X, ADDED, gain, bias), at)
    written = r"-? ?\d+\.\d+"

    def numbers(text: str) -> list[float]:
        return [float(one.replace(" ", "")) for one in re.findall(written, text)]

    x, added, total = numbers(first)
    digits = len(re.findall(written, first)[-1].rpartition(".")[2])
    assert round(x + added, digits) == total
    factor, normed, term, out = numbers(last)
    digits = len(re.findall(written, last)[-1].rpartition(".")[2])
    assert abs(factor * normed + term - out) <= 0.51 * 10**-digits or digits == 6


def test_each_step_of_add_and_norm_is_a_row_with_its_numbers() -> None:
    gain, bias = generator.normal(size=(2, 16))
    shown = add_norm(X, ADDED, gain, bias)
    rows = rows_of(shown, "self-attention(x)", residual=True)
    assert [row.sign for row in rows] == ["", "+", "=", "÷", "×", "+", "="]
    assert [row.sign for row in rows if row.slim] == ["×", "+"]
    assert rows[0].note == f"length {np.linalg.norm(X):.1f}"
    assert rows[1].name == "self-attention(x)"
    x, added, total, normed, factor, term, out = (row.vector for row in rows)
    np.testing.assert_allclose(x + added, total)
    np.testing.assert_allclose((total - shown.mean) / shown.deviation, normed)
    np.testing.assert_allclose(normed * factor + term, out)


def test_without_its_residual_the_sum_has_no_x() -> None:
    alone = add_norm(X, ADDED, np.ones(16), np.zeros(16), residual=False)
    rows = rows_of(alone, "ffn(x)", residual=False)
    assert [row.sign for row in rows[:2]] == ["", "="]
    np.testing.assert_allclose(rows[0].vector, rows[1].vector)


def test_numbers_are_written_where_both_parts_are_far_from_zero() -> None:
    both = np.zeros((2, 50))
    both[0, :5], both[1, 10:15] = 9, 9
    both[:, 30:34] = -2
    assert 30 - 5 <= busiest(both, 9) <= 30
    assert busiest(both[:, :4], 9) == 0


def test_the_spread_before_and_after_the_norm_has_every_number() -> None:
    shown = add_norm(3 * X + 2, ADDED, np.ones(16), np.zeros(16))
    before, after, wide, narrow = traces(spread_figure(shown, LIGHT))
    assert before.name == f"before: mean {shown.total.mean():.2f}"
    assert after.name == "after: mean 0.00"
    assert after.y.sum() == 16
    for bracket, vector in ((wide, shown.total), (narrow, shown.normed)):
        assert bracket.x[1] - bracket.x[0] == pytest.approx(vector.std())
        assert bracket.text[1].endswith(f"{vector.std():.2f}")
    nothing = add_norm(np.zeros(4), np.zeros(4), np.ones(4), np.zeros(4))
    assert spread_figure(nothing, LIGHT).data


def test_a_single_number_far_away_does_not_make_a_vector_wide() -> None:
    narrow, wide = np.tile([-1.0, 1.0], 50), np.tile([-3.0, 3.0], 50)
    narrow[0] = -90
    assert narrow.std() > wide.std()
    assert half_width(narrow) < half_width(wide)


def test_the_width_is_said_before_and_after_the_norm() -> None:
    shown = add_norm(X, ADDED, np.full(16, 2.0), np.ones(16))
    assert finding(shown, "▁it") == (
        "What does the norm at the end do? The 16 numbers of “it” have σ "  # noqa: RUF001
        f"**{shown.total.std():.2f}**; it makes σ **1.00**, before γ and β."  # noqa: RUF001
    )


def test_means_run_along_both_axes() -> None:
    sums = np.arange(12.0).reshape(4, 3)
    found = means(sums, 2, 1, np.concatenate([sums, np.zeros((4, 3))]))
    assert (found.of_token, found.of_dimension, found.half) == (7.0, 5.5, 2.5)
    assert (found.padded, found.token_padded) == (2.75, 7.0)
    alone = means(sums[:2], 0, 1, None)
    assert (alone.half, alone.padded, alone.token_padded) == (1.0, None, None)
    assert means(sums[:1], 0, 1, None).half == 1.0


@pytest.mark.parametrize("name", ["relu", "swish", "gelu"])
def test_feed_forward_and_its_convolution_are_torchs(name: str) -> None:
    first, second = nn.Linear(4, 6).double(), nn.Linear(6, 4).double()
    parts = [p.detach().numpy() for layer in (first, second) for p in layer.parameters()]
    network = FeedForward(parts[0].T, parts[1], parts[2].T, parts[3], name)
    x = generator.normal(size=(5, 4))
    activation = {"relu": nn.ReLU(), "swish": nn.SiLU(), "gelu": nn.GELU()}[name]
    expected = second(activation(first(torch.tensor(x)))).detach().numpy()
    np.testing.assert_allclose(network(x), expected, atol=1e-12)
    np.testing.assert_allclose(network.as_convolution(x), expected, atol=1e-12)


def test_silent_tokens_and_the_ends_of_a_list() -> None:
    assert silent(np.array([[0.0, 1.0], [0.0, 0.0], [2.0, 0.0]])) == [1]
    assert ends(np.array([3.0, -2.0, 5.0, 0.0]), 2, (2,)) == ([0, 3], [1, 3])


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("relu", ["before ReLU: x W₁ + b₁", "after: max(0, ·)"]),
        ("swish", ["before swish: x W₁ + b₁", "after: swish(·)"]),
        ("gelu", ["before gelu: x W₁ + b₁", "after: gelu(·)"]),
    ],
)
def test_the_hidden_vector_names_the_model_s_activation(name: str, titles: list[str]) -> None:
    figure = hidden_figure(X, ACTIVATIONS[name](X), name, 2, LIGHT)
    assert [title.text for title in layout(figure).annotations] == titles


def test_the_bias_is_alone_only_where_every_unit_is_zero() -> None:
    assert "bias b₂ alone" in firing(np.zeros(3))
    assert firing(np.array([-0.1, 0.0, -0.2])) == "No unit fires at this token."
    assert "**2** (0.50)" in firing(np.array([0.0, 0.5, -0.1]))


def test_a_number_keeps_its_value_in_its_head() -> None:
    vector = np.zeros(12)
    vector[7] = -3.5
    assert r"q[3,\,8] = -3.50 = q^{(2)}[3,\,4]" in formula(vector, 2, 3)
    assert r"8 = 1\cdot 4 + 4" in formula(vector, 2, 3)


def test_heads_side_by_side_and_apart_are_the_same_numbers() -> None:
    heads = generator.normal(size=(3, 5, 4))
    tokens = [f"t{n}" for n in range(5)]
    whole, split = (draw(heads, tokens, 2, LIGHT) for draw in (whole_figure, split_figure))
    merged = heads.transpose(1, 0, 2).reshape(5, 12)
    np.testing.assert_allclose(whole.data[0].customdata, merged, atol=1e-6)  # pyrefly: ignore[missing-attribute]
    apart = np.array(split.data[0].customdata).reshape(5, 3, 4 + GAP)  # pyrefly: ignore[missing-attribute]
    np.testing.assert_allclose(apart[:, :, :4], heads.transpose(1, 0, 2), atol=1e-6)
    assert np.isnan(apart[:, :, 4:]).all()
    assert np.floor(whole.data[0].z).astype(int).tolist() == [[0] * 4 + [1] * 4 + [2] * 4] * 5  # pyrefly: ignore[missing-attribute]
    assert len(split.layout.shapes) == 3  # pyrefly: ignore[missing-attribute]
