"""A five-word language in which the next word depends on the last one only."""

from itertools import product

import torch
from torch import Tensor

from model.decoding.steps import Limits, Scorer

BEGIN, END, WORDS = 0, 1, 5
LIMITS = Limits(BEGIN, END, max_length=6)


def table(seed: int) -> Tensor:
    """Log-probabilities (5, 5) of the next word given the last."""
    random = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(WORDS, WORDS, generator=random)).log_softmax(dim=-1)


def scorer(seed: int) -> Scorer:
    """Score by the table, shifted by a constant, as logits may be."""
    rows = table(seed) + 3
    return lambda prefixes: rows[prefixes[:, -1]]


def history_scorer(seed: int) -> Scorer:
    """Score by the whole prefix, so that no two hypotheses tie by taking the same links."""
    rows, words = table(seed), torch.arange(WORDS)

    def score(prefixes: Tensor) -> Tensor:
        places = torch.arange(1, prefixes.size(1) + 1)
        mood = ((prefixes + 1) * places.sqrt()).sum(dim=1, keepdim=True)  # N 1
        return rows[prefixes[:, -1]] + (mood * (words + 1)).cos()

    return score


def log_prob(seed: int, pieces: tuple[int, ...]) -> float:
    """Add up the table's log-probabilities of a sequence after the begin word."""
    rows = table(seed).double()
    path = (BEGIN, *pieces)
    return sum(float(rows[last, following]) for last, following in zip(path, pieces, strict=False))


def finished_sequences(longest: int) -> list[tuple[int, ...]]:
    """Return every sequence of at most `longest` words that ends with the end word, first there."""
    others = [word for word in range(WORDS) if word != END]
    return [(*words, END) for length in range(longest) for words in product(others, repeat=length)]
