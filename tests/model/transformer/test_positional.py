import math

import numpy as np
import pytest
import torch

from model.transformer.positional import rotated, sinusoidal_positions


@pytest.mark.parametrize(("length", "d_model"), [(1, 2), (50, 48), (256, 256)])
def test_the_table_is_the_papers_formula(length: int, d_model: int) -> None:
    expected = np.empty((length, d_model))
    for position in range(length):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            expected[position, 2 * i : 2 * i + 2] = math.sin(angle), math.cos(angle)
    table = sinusoidal_positions(length, d_model)  # P D
    assert table.dtype == torch.float32
    np.testing.assert_allclose(table.numpy(), expected, atol=1e-7)


def test_a_shift_is_a_rotation_that_does_not_depend_on_the_position() -> None:
    """Section 3.5: PE(p + k) is a linear function of PE(p)."""
    pairs = sinusoidal_positions(40, 16).double().unflatten(1, (8, 2))  # P D/2 2
    waves = torch.view_as_complex(pairs.flip(-1).contiguous())  # P D/2, cos + i sin
    turns = waves[3:] / waves[:-3]  # P-3 D/2
    torch.testing.assert_close(turns, turns[:1].expand_as(turns), atol=1e-5, rtol=0)


def test_rotary_positions_turn_complex_numbers_by_the_angles_of_the_sinusoids() -> None:
    x = torch.randn(3, 7, 8, generator=torch.Generator().manual_seed(1))  # H N Dk
    numbers = torch.view_as_complex(x.double().unflatten(-1, (4, 2)))  # H N Dk/2
    angles = torch.tensor(
        [[p / 10000 ** (2 * i / 8) for i in range(4)] for p in range(5, 12)], dtype=torch.float64
    )
    turned = torch.view_as_real(numbers * torch.exp(1j * angles)).flatten(-2)  # H N Dk
    torch.testing.assert_close(rotated(x, start=5), turned.float(), atol=1e-5, rtol=1e-5)


def test_the_product_of_turned_queries_and_keys_depends_on_their_distance_alone() -> None:
    torch.manual_seed(2)
    query, key = torch.randn(2, 16).unbind()
    q, k = rotated(query.expand(30, 16)), rotated(key.expand(30, 16))  # N Dk
    products = q @ k.T  # N N
    for distance in (-4, 0, 3):
        along = products.diagonal(distance)
        torch.testing.assert_close(along, along[:1].expand_as(along), atol=1e-4, rtol=1e-4)
