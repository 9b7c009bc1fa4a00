"""Miniatures of heads: the attention of each, small, in one image for a whole board."""

import base64
import struct
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from model.sites.sites import Kind
from viz.components.message import LEVELS, quantise
from viz.figures.theme import Scale

MOST = 32
"""The most rows or columns of a miniature; in longer sentences each is the largest of several."""

Miniatures = Mapping[Kind, str]
"""A board's image, as an address that holds its data, for each kind of attention."""


def miniatures(weights: Mapping[Kind, NDArray[np.floating]], scale: Scale) -> Miniatures:
    """Draw weights (L, H, query, key) of each kind, on a scale from 0 to 1, as one image each.

    The heads of a layer stand beside each other, and the layers below each other. Colours go by the
    root of a weight, so that small ones are seen at this size.
    """
    colours = _palette(scale)
    return {kind: _address(tiled(each), colours) for kind, each in weights.items() if each.size}


def vector_picture(vector: NDArray[np.floating], most: float, scale: Scale) -> str:
    """Draw the numbers of a vector (D,) as squares, row by row, from -`most` to `most`."""
    side = int(np.ceil(np.sqrt(len(vector))))
    levels = np.full(side * side, 0.5)  # what is left over is 0
    levels[: len(vector)] = (np.clip(vector / most, -1, 1) + 1) / 2
    rows = levels.reshape(side, side)[: -(-len(vector) // side)]
    return _address(quantise(rows), _palette(scale))


def tiled(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Lay out weights (L, H, query, key) as the levels, 0 to 255, of one image."""
    small = _pooled(_pooled(weights, 2), 3)
    layers, heads, queries, keys = small.shape
    return quantise(np.sqrt(small)).transpose(0, 2, 1, 3).reshape(layers * queries, heads * keys)


def _pooled(weights: NDArray[np.floating], axis: int) -> NDArray[np.floating]:
    """Take the largest of as many neighbours as leave no more than `MOST`."""
    length = weights.shape[axis]
    if length <= MOST:
        return weights
    starts = np.linspace(0, length, MOST, endpoint=False).astype(int)
    return np.maximum.reduceat(weights, starts, axis=axis)


def _palette(scale: Scale) -> bytes:
    """Return red, green and blue of every level on a scale."""
    stops = [at for at, _colour in scale]
    channels = np.array([list(bytes.fromhex(colour[1:])) for _at, colour in scale])
    levels = np.arange(LEVELS + 1) / LEVELS
    table = np.stack([np.interp(levels, stops, channel) for channel in channels.T], axis=1)
    return np.rint(table).astype(np.uint8).tobytes()


def _address(levels: NDArray[np.uint8], palette: bytes) -> str:
    """Write levels as a PNG of these colours, inside an address."""
    height, width = levels.shape
    rows = np.pad(levels, ((0, 0), (1, 0)))  # before each row stands its filter: none
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows.tobytes()))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in (*parts, (b"IEND", b"")))
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
