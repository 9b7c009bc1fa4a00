"""Sinusoidal positional encoding, section 3.5 of "Attention Is All You Need"."""

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
    row is that of position `start`, which may be negative. In two halves all sines come first.
    """
    position = torch.arange(start, start + length, dtype=torch.float64).unsqueeze(1)  # P 1
    even = torch.arange(0, d_model, 2, dtype=torch.float64)  # D/2
    angle = position / base ** (even / d_model)  # P D/2
    last = {"interleaved": -1, "two halves": 1}[layout]
    table = torch.stack([angle.sin(), angle.cos()], dim=last)  # P D/2 2, or P 2 D/2
    return table.flatten(1)[:, :d_model].float()  # P D
