"""Initial vectors of the embedding: counted neighbours of a piece, in both languages.

Pieces that occur in the same sentence pairs and beside the same pieces get similar vectors: dog
lies near chien, lazy near paresseux. Embeddings trained from random numbers on so few pairs learn
little about a word's meaning; counts over the same pairs reveal more.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from model.training.data.pairs import EncodedPair

WINDOW = 3  # pieces to either side; in the other language, all pieces of the pair
_CHUNK = 4000  # the number of pairs counted at a time


def count_neighbours(pairs: Sequence[EncodedPair], vocab_size: int) -> Tensor:
    """Count a piece's (row's) neighbours: in its window, and on the other side of its pair.

    Returns (V, 2 V): first the neighbours in a source, then those in a target.
    """
    counts = torch.zeros(vocab_size, 2 * vocab_size)
    for start in range(0, len(pairs), _CHUNK):
        neighbours = [_neighbours(pair, vocab_size) for pair in pairs[start : start + _CHUNK]]
        rows, columns = torch.from_numpy(np.concatenate(neighbours, axis=1))
        counts.index_put_((rows, columns), torch.ones(()), accumulate=True)
    return counts


def _neighbours(pair: EncodedPair, vocab_size: int) -> NDArray[np.int64]:
    """Return (2, N): pieces, and the column of a neighbour of each."""
    pieces = np.array([*pair.source, *pair.target])
    in_target = np.arange(len(pieces)) >= len(pair.source)
    distance = np.abs(np.subtract.outer(np.arange(len(pieces)), np.arange(len(pieces))))
    near = (np.not_equal.outer(in_target, in_target) | (distance <= WINDOW)) & (distance > 0)
    piece, neighbour = np.nonzero(near)
    return np.stack([pieces[piece], pieces[neighbour] + vocab_size * in_target[neighbour]])


def count_vectors(pairs: Sequence[EncodedPair], vocab_size: int, width: int, seed: int) -> Tensor:
    """Return a vector of length 1 for every piece (V, D), from counts alone.

    They are the truncated singular value decomposition, weighted by the roots of the values, of the
    positive pointwise mutual information, smoothed by the power 0.75 (Levy, Goldberg & Dagan 2015,
    "Improving Distributional Similarity with Lessons Learned from Word Embeddings"; with pairs as
    contexts, Levy, Søgaard & Goldberg 2017). Pieces without a neighbour get a random vector.
    """
    torch.manual_seed(seed)
    counts = count_neighbours(pairs, vocab_size)
    columns = counts.sum(0) ** 0.75
    expected = counts.sum(1, keepdim=True) * (columns / columns.sum().clamp_min(1))
    information = (counts / expected.clamp_min(1e-9)).clamp_min(1).log()
    left, values, _ = torch.svd_lowrank(information, q=min(width + 44, vocab_size), niter=3)
    weighted = (left * values.sqrt())[:, :width]
    vectors = torch.randn(vocab_size, width)
    occurs = counts.sum(1) > 0
    vectors[occurs, : weighted.shape[1]] = weighted[occurs]
    return F.normalize(vectors, dim=1)
