"""The kernel: what is shipped is what its source says, and both ways of computing agree."""

from collections.abc import Iterator

import numpy as np
import pytest

from tests.viz.live.engine import Engine
from viz.live.assemble import SHIPPED, assembled


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        yield opened


def test_the_shipped_bytes_are_assembled_from_the_source() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == assembled()


@pytest.mark.parametrize(("rows", "inputs", "outputs"), [(1, 8, 4), (3, 12, 8), (2, 7, 5)])
def test_a_product_is_the_same_with_simd_and_without(
    engine: Engine, rows: int, inputs: int, outputs: int
) -> None:
    draw = np.random.default_rng(rows)
    x, w, b = (draw.normal(size=size) for size in ((rows, inputs), (outputs, inputs), outputs))
    sizes = {"rows": rows, "inputs": inputs, "outputs": outputs}
    numbers = {name: array.ravel().tolist() for name, array in (("x", x), ("w", w), ("b", b))}
    for found in engine.ask("product", **numbers, **sizes):
        np.testing.assert_allclose(found, (x @ w.T + b).ravel(), atol=1e-5)


@pytest.mark.parametrize("rows", [1, 3])
def test_a_matrix_of_halves_gives_the_product_of_its_numbers(engine: Engine, rows: int) -> None:
    draw = np.random.default_rng(rows)
    x, b = draw.normal(size=(rows, 12)), draw.normal(size=8)
    w = draw.normal(size=(8, 12)).astype(np.float16)
    w[0, :3] = [0, -1e-7, 6e4]  # none, a subnormal one, one of the largest
    asked = {"rows": rows, "inputs": 12, "outputs": 8, "b": b.tolist(), "x": x.ravel().tolist()}
    found = engine.ask("productOfHalves", halves=w.view(np.uint16).ravel().tolist(), **asked)
    (numbers, _) = engine.ask("product", w=w.astype(float).ravel().tolist(), **asked)
    assert found == numbers
    np.testing.assert_allclose(found, (x @ w.T.astype(float) + b).ravel(), rtol=1e-5, atol=1e-5)


def test_every_half_is_widened_exactly_with_simd_and_without(engine: Engine) -> None:
    halves = np.arange(2**16, dtype=np.uint16)
    finite = np.isfinite(halves.view(np.float16))
    bits = halves[finite].view(np.float16).astype(np.float32).view(np.uint32)
    for found in engine.ask("widen", halves=halves[finite].tolist()):
        assert found == bits.tolist()


def test_no_half_that_is_not_finite_is_overlooked(engine: Engine) -> None:
    halves = np.zeros((2**16, 8), np.uint16)
    bits = np.arange(2**16, dtype=np.uint16)
    halves[bits, bits % 8] = bits
    finite = np.isfinite(halves.view(np.float16)).all(axis=1)
    assert engine.ask("finite", halves=halves.ravel().tolist()) == finite.tolist()
