"""Miniatures of heads: small pictures of their attention, all of a board in one image."""

import base64
import io
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from model.sites.sites import Kind
from viz.components.message import LEVELS, quantise
from viz.figures.theme import Scale

MOST = 32
"""The most rows or columns of a miniature; longer sentences show the largest of several weights."""

Miniatures = Mapping[Kind, str]
"""The image of each kind's board, as a data URL."""


def miniatures(weights: Mapping[Kind, NDArray[np.floating]], scale: Scale) -> Miniatures:
    """Draw the weights (L, H, query, key) of each kind as one image, on a scale from 0 to 1.

    The heads of a layer are side by side, and each layer is below the one before. A colour shows
    the square root of a weight, so that small weights can be seen at this size.
    """
    colours = _palette(scale)
    return {
        kind: _address(tiled(of_kind), colours) for kind, of_kind in weights.items() if of_kind.size
    }


def head_picture(weights: NDArray[np.floating], scale: Scale) -> str:
    """Draw the weights (query, key) of one head as a miniature: a data URL."""
    return _address(tiled(weights[None, None]), _palette(scale))


def vector_picture(vector: NDArray[np.floating], most: float, scale: Scale) -> str:
    """Draw a vector (D,) as rows of small squares, coloured from -`most` to `most`: a data URL."""
    side = int(np.ceil(np.sqrt(len(vector))))
    levels = np.full(side * side, 0.5)  # squares without a number have the colour of 0
    levels[: len(vector)] = (np.clip(vector / most, -1, 1) + 1) / 2
    rows = levels.reshape(side, side)[: -(-len(vector) // side)]
    return _address(quantise(rows), _palette(scale))


def strip_picture(vector: NDArray[np.floating], most: float, scale: Scale) -> str:
    """Draw a vector (D,) as a strip, one pixel per number, coloured from -`most` to `most`."""
    return _address(quantise((np.clip(vector / most, -1, 1)[None] + 1) / 2), _palette(scale))


def tiled(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Lay out weights (L, H, query, key) as the pixels of one image, levels from 0 to 255."""
    small = _pooled(_pooled(weights, 2), 3)
    layers, heads, queries, keys = small.shape
    return quantise(np.sqrt(small)).transpose(0, 2, 1, 3).reshape(layers * queries, heads * keys)


def _pooled(weights: NDArray[np.floating], axis: int) -> NDArray[np.floating]:
    """Shorten an axis to at most `MOST` places, each with the largest of several neighbours."""
    length = weights.shape[axis]
    if length <= MOST:
        return weights
    starts = np.linspace(0, length, MOST, endpoint=False).astype(int)
    return np.maximum.reduceat(weights, starts, axis=axis)


def _palette(scale: Scale) -> bytes:
    """Return the red, green and blue bytes of the 256 levels of a scale."""
    stops = [at for at, _colour in scale]
    channels = np.array([list(bytes.fromhex(colour[1:])) for _at, colour in scale])
    levels = np.arange(LEVELS + 1) / LEVELS
    table = np.stack([np.interp(levels, stops, channel) for channel in channels.T], axis=1)
    return np.rint(table).astype(np.uint8).tobytes()


def _address(levels: NDArray[np.uint8], palette: bytes) -> str:
    """Write pixels (height, width) as a PNG with this palette, in a data URL."""
    picture = Image.fromarray(levels)
    picture.putpalette(palette)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
