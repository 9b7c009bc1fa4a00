"""Teacher forcing: a decoder that reads the reference, its own words, or some of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

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
    own prediction from the row before (`own`). `own` is None in the first row, whose input is
    always the begin token. `probability` is that of `said`; `loss` is -log p of `reference`, in
    nats, and `due` is the place of that piece in the reference, from 0.

    When the model reads only its own words, `reference` is the piece due after them, as they may
    have more or fewer pieces than the reference. Otherwise it is the piece of the same row.
    """

    given: str
    own: bool
    draw: float | None
    said: str
    probability: float
    reference: str
    loss: float
    due: int


@dataclass(frozen=True)
class Fed:
    """A pass over a reference with mixed inputs; `parted` is the first row with a wrong piece.

    `parted` is None when every row predicts the reference's piece. `ended` is True if the next
    input was the model's own end token; the rows stop there, as nothing follows it.
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
    """Feed the decoder the reference in a share `ratio` of the rows, and its own words in the rest.

    Ratio 1 is teacher forcing, 0 is a greedy translation, and ratios between are scheduled sampling
    (Bengio et al. 2015), with one seeded draw for each row. `tokenizer` is the target's.
    `target_ids` have the begin token first and the end token last. Raises ValueError unless 0 <=
    ratio <= 1.
    """
    if not 0 <= ratio <= 1:
        raise ValueError(f"the ratio of the reference must be 0 to 1, not {ratio}")
    reference = target_ids[1:]
    draws = np.random.default_rng(seed).random(len(reference))  # T
    scorer = CachedScorer(model, *model.encode(torch.tensor([list(source_ids)])), target_ids[:-1])
    prefix, parted, ended = [target_ids[0]], None, False
    owns, spoken, odds = [False], [], []
    for row, reference_input in enumerate(target_ids[:-1]):
        if row:
            owns.append(bool(draws[row] >= ratio))
            ended = owns[row] and spoken[-1].id == tokenizer.end_id
            if ended:
                break
            prefix.append(spoken[-1].id if owns[row] else reference_input)
        parted = row if parted is None and prefix[-1] != reference_input else parted
        odds.append(normalised(scorer(torch.tensor([prefix]))[0]))  # V
        spoken.append(best(odds[-1], 1)[0])
    due = range(len(reference)) if ratio else _due([top.id for top in spoken], reference)
    rows = tuple(
        FedRow(
            tokenizer.token(prefix[row]),
            owns[row],
            float(draws[row]) if row else None,
            tokenizer.token(top.id),
            float(np.exp(top.log_prob)),
            tokenizer.token(reference[due[row]]),
            -candidate(odds[row], reference[due[row]]).log_prob,
            due[row],
        )
        for row, top in enumerate(spoken)
    )
    return Fed(rows, ratio, seed, parted, ended)


def _due(written: Sequence[int], reference: Sequence[int]) -> list[int]:
    """Return, for each written piece, the place in the reference of the piece that was due there.

    Where the model writes more than the reference has, one piece is due several times; where it
    writes less, a piece may never be due.
    """
    due = []
    for _tag, i, j, k, m in SequenceMatcher(None, written, reference, autojunk=False).get_opcodes():
        last = min(max(k, m - 1), len(reference) - 1)
        due += [min(k + at, last) for at in range(j - i)]
    return due
