"""The picture of the chain, as the message to its component."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz.components.message import pack
from viz.figures.theme import token_text

Arrays = Mapping[str, NDArray[np.floating]]


@dataclass(frozen=True, eq=False)
class ChainPicture:
    """The tokens and arrays that the chain shows.

    `numbers` are sent in single precision. `matrices` are sent in half precision, as they are only
    coloured, with a rounded number under the pointer. `allowed` (S,) marks the keys that the query
    may look at. `query` and `head` count from 0. `divisor` divides the dots, `temperature` divides
    the scores in the softmax, and `changed` is True if the scores are not the divided dots. The
    keys at the places `nouns` are always among those that are shown.
    """

    queries: Sequence[str]
    keys: Sequence[str]
    query: int
    head: int
    heads: int
    query_stack: str
    key_stack: str
    allowed: NDArray[np.bool_]
    numbers: Arrays
    matrices: Arrays
    divisor: float
    temperature: float
    changed: bool
    nouns: Sequence[int] = ()


def encode(picture: ChainPicture, words: Mapping[str, str], colours: Mapping[str, object]) -> bytes:
    """Pack a picture, the words on screen and the colours into the component's message."""
    arrays = {name: array.astype("<f4") for name, array in picture.numbers.items()}
    arrays |= {name: array.astype("<f2") for name, array in picture.matrices.items()}
    header = {
        "queries": [token_text(token) for token in picture.queries],
        "keys": [token_text(token) for token in picture.keys],
        "query": picture.query,
        "head": picture.head,
        "heads": picture.heads,
        "queryStack": picture.query_stack,
        "keyStack": picture.key_stack,
        "allowed": [bool(allowed) for allowed in picture.allowed],
        "divisor": picture.divisor,
        "temperature": picture.temperature,
        "changed": picture.changed,
        "nouns": list(picture.nouns),
        "words": dict(words),
        "colours": dict(colours),
    }
    return pack(header, arrays)
