"""The product of matrices: what is shipped is what its source says, and both ways agree."""

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
