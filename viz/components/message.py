"""The message to a component: `[u32 header length][JSON header][arrays, one after another]`."""

import json
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

LEVELS = 255
"""The byte that stands for a weight of 1."""

_DEFLATE_LEVEL = 3  # a third of level 6's time for 4 % more bytes
_SENT = {np.dtype("u1"), np.dtype("<f2"), np.dtype("<f4")}

Header = Mapping[str, object]
Arrays = Mapping[str, NDArray[np.generic]]


def pack(header: Header, arrays: Arrays, deflate: bool = False) -> bytes:
    """Pack a header and named arrays (uint8, or little-endian float16 or float32) into a message.

    The header gets `arrays`, a list of [name, bytes per number, shape]; the numbers follow it in
    that order. `deflate` compresses them, which is worth its time if many numbers are alike. In
    message.js, `readMessage` reads the message, or `inflateMessage` if it is deflated. Raises
    ValueError for numbers of another type.
    """
    for name, array in arrays.items():
        if array.dtype not in _SENT:
            raise ValueError(f"{name}: expected uint8, float16 or float32, not {array.dtype}")
    shapes = [[name, array.dtype.itemsize, list(array.shape)] for name, array in arrays.items()]
    text = json.dumps(
        {**header, "arrays": shapes}, ensure_ascii=False, separators=(",", ":")
    ).encode()
    body = b"".join(array.tobytes() for array in arrays.values())
    body = zlib.compress(body, _DEFLATE_LEVEL) if deflate else body
    return len(text).to_bytes(4, "little") + text + body


def quantise(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Round weights from 0 to 1 to the nearest multiples of 1/255."""
    return np.rint(weights * LEVELS).clip(0, LEVELS).astype(np.uint8)


def quantise_rows(weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Round weights (..., key) to multiples of 1/255 so that every row keeps its sum.

    Each weight is rounded down or up, so its error is below 1/255. The weights with the largest
    remainders go up until the row has its sum. With plain rounding, the diffuse rows of long
    sentences would lose a third of their mass.
    """
    scaled = np.clip(weights, 0, 1).astype(np.float64) * LEVELS
    low = np.floor(scaled)
    missing = np.rint(scaled.sum(axis=-1)) - low.sum(axis=-1)
    order = np.argsort(low - scaled, axis=-1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(order.shape[-1])[(None,) * (order.ndim - 1)], -1)
    return (low + (rank < missing[..., None])).clip(0, LEVELS).astype(np.uint8)
