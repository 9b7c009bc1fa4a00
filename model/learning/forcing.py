"""Teacher forcing: a decoder that reads the reference, its own words, or some of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from model.decoding.cached_scorer import CachedScorer
from model.decoding.steps import best, candidate, normalised
from model.tokenizer import Tokenizer
from model.transformer.transformer import Transformer


@dataclass(frozen=True)
class FedRow:
    """One row of the decoder: its input, its prediction and the reference.

    `draw` in [0, 1) decided the input: below the ratio it is the reference, otherwise the model's
    own prediction one row before (`own`). `own` is None in the first row, whose input is always the
    begin token. `probability` is that of `said`; `loss` is -log p of `reference`, in nats.
    """

    given: str
    own: bool
    draw: float | None
    said: str
    probability: float
    reference: str
    loss: float


@dataclass(frozen=True)
class Fed:
    """A pass over a reference with mixed inputs; `parted` is the first row with another piece.

    `parted` is None when every row got the reference's piece. `ended` tells that the next input was
    the model's own end token; the rows stop there, as nothing follows it.
    """

    rows: tuple[FedRow, ...]
    ratio: float
    seed: int
    parted: int | None
    ended: bool


@torch.inference_mode()
def feed(
    model: Transformer,
    tokenizer: Tokenizer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    ratio: float,
    seed: int = 0,
) -> Fed:
    """Feed the decoder the reference in a share `ratio` of the rows, else its own words.

    Ratio 1 is teacher forcing, 0 a greedy translation, and ratios between are scheduled sampling
    (Bengio et al. 2015), with one seeded draw a row. `tokenizer` is the target's. `target_ids` have
    the begin token first and the end token last. Raises ValueError unless 0 <= ratio <= 1.
    """
    if not 0 <= ratio <= 1:
        raise ValueError(f"the ratio of the reference must be 0 to 1, not {ratio}")
    draws = np.random.default_rng(seed).random(len(target_ids) - 1)  # T
    scorer = CachedScorer(model, *model.encode(torch.tensor([list(source_ids)])), target_ids[:-1])
    prefix, rows, parted, said = [target_ids[0]], [], None, target_ids[0]
    for row, (shown, reference) in enumerate(pairwise(target_ids)):
        own = row > 0 and bool(draws[row] >= ratio)
        if row:
            prefix.append(said if own else shown)
        if own and said == tokenizer.end_id:
            return Fed(tuple(rows), ratio, seed, parted, ended=True)
        parted = row if parted is None and prefix[-1] != shown else parted
        log_probs = normalised(scorer(torch.tensor([prefix]))[0])  # V
        said = (top := best(log_probs, 1)[0]).id
        rows.append(
            FedRow(
                tokenizer.token(prefix[-1]),
                own,
                float(draws[row]) if row else None,
                tokenizer.token(said),
                float(np.exp(top.log_prob)),
                tokenizer.token(reference),
                -candidate(log_probs, reference).log_prob,
            )
        )
    return Fed(tuple(rows), ratio, seed, parted, ended=False)
