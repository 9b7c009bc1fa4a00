"""Positions: the sinusoids of "Attention Is All You Need" (section 3.5), and rotary ones."""

import torch
from torch import Tensor

from model.transformer.config import Layout


def sinusoidal_positions(
    length: int,
    d_model: int,
    base: float = 10000.0,
    start: int = 0,
    layout: Layout = "interleaved",
) -> Tensor:
    """Return the table PE (length, d_model), float32, sine and cosine interleaved.

    PE(p, 2i) = sin(p / base^(2i / d_model)), PE(p, 2i + 1) = cos of the same angle. The first
    row is position `start`, which may be negative. In the layout "halves", all sines come first.
    """
    position = torch.arange(start, start + length, dtype=torch.float64).unsqueeze(1)  # P 1
    even = torch.arange(0, d_model, 2, dtype=torch.float64)  # D/2
    angle = position / base ** (even / d_model)  # P D/2
    last = {"interleaved": -1, "two halves": 1}[layout]
    table = torch.stack([angle.sin(), angle.cos()], dim=last)  # P D/2 2, or P 2 D/2
    return table.flatten(1)[:, :d_model].float()  # P D


def rotated(x: Tensor, start: int = 0) -> Tensor:
    """Rotate queries or keys (..., N, Dk) by their positions, which begin with `start`.

    Each pair of dims 2i and 2i + 1 rotates by p / 10000^(2i / Dk), the angle of the sinusoids, so q
    . k depends only on the distance ("RoFormer", Su et al. 2021, equation 34).
    """
    table = sinusoidal_positions(*x.shape[-2:], start=start).to(x.device)  # N Dk
    sin, cos = table[:, 0::2], table[:, 1::2]  # N Dk/2
    even, odd = x[..., 0::2], x[..., 1::2]  # ... N Dk/2
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)  # ... N Dk
