"""The model's weights, as views that nobody can write to: matrices, and the vocabulary."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from model.recording.sites import Kind, attention_site
from viz.compute import runs
from viz.compute.kept import kept


def parameter(name: str) -> NDArray[np.float32]:
    """Return one of the model's weights as a read-only view; a matrix is (out, in).

    Raises ValueError when the model has no such weight.
    """
    try:
        return _view(runs.translator().network.get_parameter(name))
    except AttributeError:
        raise ValueError(f"the model has no weight {name!r}") from None


def _view(weight: Tensor) -> NDArray[np.float32]:
    view = weight.detach().numpy().view()
    view.setflags(write=False)
    return view


def projection(kind: Kind, layer: int, part: str) -> tuple[NDArray[np.float32], ...]:
    """Return W (in, out) and b (out) of "q", "k", "v" or "out" of an attention sublayer."""
    stack, _, sublayer, name = attention_site(kind, layer, part).split(".")
    prefix = f"{stack}.layers.{layer}.{sublayer}.{name}"
    return parameter(f"{prefix}.weight").T, parameter(f"{prefix}.bias")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All pieces by id: their names, their embeddings (V, D) and those scaled to length 1.

    `mute` holds the ids that stand for no text of their own: special tokens and single bytes.
    """

    tokens: tuple[str, ...]
    embedding: NDArray[np.float32]
    units: NDArray[np.float32]
    mute: tuple[int, ...]


@kept
def vocabulary() -> Vocabulary:
    """Return the model's vocabulary."""
    loaded = runs.translator()
    tokenizer = loaded.tokenizer
    ids = range(len(tokenizer))
    embedding = _view(loaded.network.embedding.weight)  # a recurrent model has it from elsewhere
    units = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-12)
    units.setflags(write=False)
    mute = tuple(id_ for id_ in ids if tokenizer.score(id_) == 0)
    return Vocabulary(tuple(tokenizer.tokens(list(ids))), embedding, units, mute)
