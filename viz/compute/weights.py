"""The model's weights as read-only views: matrices, and the vocabulary."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from model.sites.sites import Stack
from viz.compute import runs
from viz.compute.models import kept


def parameter(name: str) -> NDArray[np.float32]:
    """Return one of the model's weights as a read-only view; a matrix is (out, in).

    Raises ValueError when the model has no such weight.
    """
    try:
        return _view(runs.translator().network.get_parameter(name))
    except AttributeError:
        raise ValueError(f"the model has no weight {name!r}") from None


def of_layers(stack: Stack, layers: int, part: str) -> NDArray[np.float32]:
    """Return the weights of a part, such as "ffn.out", of every layer: a row for each, (L, n).

    Raises ValueError when the model has no such weights.
    """
    names = [f"{stack}.layers.{layer}.{part}.weight" for layer in range(layers)]
    return np.stack([parameter(name).ravel() for name in names])


def _view(weight: Tensor) -> NDArray[np.float32]:
    view = weight.detach().numpy().view()
    view.setflags(write=False)
    return view


def output_layer() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the matrix (V, D) that scores the pieces and its bias (V,), if any."""
    config = runs.translator().config
    matrix = _wide(parameter(config.output_matrix))
    if config.variant.biased:
        return matrix, parameter("output_bias")
    return matrix, np.zeros(config.target_vocab_size, np.float32)


def _wide(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a matrix of pieces (V, De) as (V, D): 0 where joined positions stand."""
    missing = runs.translator().network.config.d_model - matrix.shape[1]
    return np.pad(matrix, [(0, 0), (0, missing)]) if missing else matrix


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All pieces by id: their names, their vectors (V, D), and these vectors scaled to length 1.

    `mute` holds the ids without text of their own: special tokens and single bytes.
    """

    tokens: tuple[str, ...]
    embedding: NDArray[np.float32]
    units: NDArray[np.float32]
    mute: tuple[int, ...]


Use = Literal["source", "target", "output"]
"""The uses of pieces: the encoder reads them, the decoder reads them, the decoder scores them."""


def vocabulary(use: Use = "source") -> Vocabulary:
    """Return the pieces and their vectors for a use; most models have one table for all three."""
    config = runs.translator().network.config
    if use == "source":
        return _vocabulary("embedding.weight")
    return _vocabulary(config.target_embedding if use == "target" else config.output_matrix)


@kept
def _vocabulary(matrix: str) -> Vocabulary:
    loaded = runs.translator()
    if matrix == "embedding.weight":
        # A recurrent model's embedding comes from another checkpoint: it is not among its weights.
        tokenizer, weight = loaded.tokenizer, loaded.network.embedding.weight
    else:
        tokenizer, weight = loaded.target_tokenizer, loaded.network.get_parameter(matrix)
    embedding, ids = _wide(_view(weight)), range(len(tokenizer))
    units = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-12)
    units.setflags(write=False)
    mute = tuple(id_ for id_ in ids if tokenizer.score(id_) == 0)
    return Vocabulary(tuple(tokenizer.tokens(list(ids))), embedding, units, mute)
