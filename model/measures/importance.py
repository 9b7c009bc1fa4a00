"""The importance of each head or block: the log-probability of a translation without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.steps import Progress
from model.interventions.base import Intervention, Lengths
from model.interventions.compiled import Compiled
from model.interventions.donors import Donors
from model.interventions.heads import AblateHead, Mode
from model.interventions.prepare import prepare
from model.measures.likelihood import log_probs_of
from model.sites.sites import KINDS, Kind
from model.sites.tap import Edit, Editor
from model.transformer.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Importance:
    """The log-probability of a translation (nats), and its fall without each head.

    `falls` holds (L, H) for each kind of attention; below zero, the translation became likelier.
    """

    log_prob: float
    falls: dict[Kind, NDArray[np.float64]]

    def least(self, count: int, mode: Mode = "zero") -> tuple[AblateHead, ...]:
        """Switch off the `count` heads that change the log-probability least, up or down."""
        heads = [
            (abs(float(fall)), AblateHead(kind, layer, head, mode))
            for kind, falls in self.falls.items()
            for (layer, head), fall in np.ndenumerate(falls)
        ]
        heads.sort(key=lambda pair: pair[0])
        return tuple(head for _, head in heads[:count])


@torch.inference_mode()
def head_importance(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    mode: Mode = "zero",
    progress: Progress | None = None,
) -> Importance:
    """Measure every head of a model, the heads of one layer in one batch.

    `target_ids` starts with the begin id. The pieces after it are scored, so append the end id if
    it should count. Raises ValueError when no piece follows the begin id.
    """
    if len(target_ids) < 2:
        raise ValueError("there is no translation to score: the target has no piece")
    source, target = torch.tensor([source_ids]), torch.tensor([target_ids])
    memory, mask = model.encode(source)  # 1 S D, 1 1 S
    usual = float(_log_prob(model.decode(target, memory, mask), target))
    runs: list[tuple[Kind, int]] = [
        (kind, layer) for kind in KINDS for layer in range(model.config.layers(kind))
    ]
    falls: dict[Kind, list[NDArray[np.float64]]] = {kind: [] for kind in KINDS}
    for kind, layer in runs:
        tap = _one_head_a_row(model, kind, layer, mode, Lengths(len(source_ids), len(target_ids)))
        rows = model.config.heads
        if kind == "encoder":
            memory_rows, _ = model.encode(source, tap)  # H S D
            logits = model.decode(target, memory_rows, mask)  # H T V
        else:
            logits = model.decode(target, memory, mask, tap)  # H T V
        falls[kind].append(usual - _log_prob(logits, target).numpy())
        if progress:
            done = sum(len(layers) for layers in falls.values())
            progress(done * rows, len(runs) * rows)
    return Importance(usual, {kind: np.stack(layers) for kind, layers in falls.items()})


@torch.inference_mode()
def leads_without(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    pieces: tuple[int, int | None],
    others: Sequence[Intervention] = (),
    *,
    progress: Progress | None = None,
    donors: Donors | None = None,
) -> dict[Kind, NDArray[np.float64]]:
    """Return a piece's lead in logits over another, with each head alone switched off.

    Returns (L, H) for each kind of attention, for the piece after the last of `target_ids`.
    `others` hold in every run, with their `donors`. Raises ValueError when an intervention does not
    fit.
    """
    lengths = Lengths(len(source_ids), len(target_ids), donors)
    padded = prepare(others, model.config, lengths).padded(source_ids)
    source, target = torch.tensor([padded]), torch.tensor([target_ids])  # 1 S, 1 T
    leads_of: dict[Kind, list[NDArray[np.float64]]] = {kind: [] for kind in KINDS}
    layers: list[tuple[Kind, int]] = [
        (kind, layer) for kind in KINDS for layer in range(model.config.layers(kind))
    ]
    for done, (kind, layer) in enumerate(layers, start=1):
        tap = _one_head_a_row(model, kind, layer, "zero", lengths, others)
        leads_of[kind].append(_lead(model(source, target, tap), pieces))
        if progress:
            progress(done, len(layers))
    return {kind: np.stack(leads) for kind, leads in leads_of.items()}


def _lead(logits: Tensor, pieces: tuple[int, int | None]) -> NDArray[np.float64]:
    """Return a piece's lead in logits over another in the last rows of (N, T, V): (N,)."""
    piece, rival = pieces
    last = logits[:, -1].double().numpy()  # N V
    return last[:, piece] - (0 if rival is None else last[:, rival])


@torch.inference_mode()
def changes_alone(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    interventions: Sequence[Intervention],
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return each intervention's own change of a translation's log-probability, in nats.

    Returns (N,) for N interventions, after minus before; `target_ids` as in `head_importance`.
    Raises ValueError when an intervention does not fit.
    """
    lengths = Lengths(len(source_ids), len(target_ids))
    source, target = torch.tensor([source_ids]), torch.tensor([target_ids])
    runs = [prepare([intervention], model.config, lengths) for intervention in interventions]
    usual, changes = float(_log_prob(model(source, target), target)), np.zeros(len(runs))
    for _padded, group in groupby(range(len(runs)), lambda at: runs[at].padded(source_ids)):
        alike = list(group)
        for rows in (alike[at : at + ROWS] for at in range(0, len(alike), ROWS)):
            scores = _alone(model, [runs[at] for at in rows], source_ids, target)
            changes[rows] = scores - usual
            if progress:
                progress(rows[-1] + 1, len(runs))
    return changes


ROWS = 9
"""The number of changed models in one batch; a decoder layer has as many parts."""


def _alone(
    model: Transformer, runs: Sequence[Compiled], source_ids: Sequence[int], target: Tensor
) -> NDArray[np.float64]:
    """Score a target (1, T) in one batch, row r under run r; all runs have equal padding.

    What comes before the first change is run once for all rows.
    """
    edits = [run.edits for run in runs]
    source = torch.tensor([runs[0].padded(source_ids)])  # 1 S
    logits = model(source, target, _one_change_a_row(edits))  # N T V
    return _log_prob(logits, target).numpy()


def _log_prob(logits: Tensor, target: Tensor) -> Tensor:
    """Sum the log-probabilities (N,) of the pieces of one target (1, T) in logits (N, T, V)."""
    return log_probs_of(target[0, 1:], logits[:, :-1]).sum(dim=1)  # N


def _one_head_a_row(
    model: Transformer,
    kind: Kind,
    layer: int,
    mode: Mode,
    lengths: Lengths,
    others: Sequence[Intervention] = (),
) -> Editor:
    """Switch head r of one layer off in row r of the batch only; `others` hold in all rows."""
    heads = [AblateHead(kind, layer, head, mode) for head in range(model.config.heads)]
    return _one_change_a_row(
        [prepare([*others, head], model.config, lengths).edits for head in heads]
    )


def _one_change_a_row(runs: Sequence[Mapping[str, Edit]]) -> Editor:
    """Apply the edits of run r only in row r of the batch."""
    sites = {site for run in runs for site in run}
    return Editor({site: _row_wise([run.get(site, _same) for run in runs]) for site in sites})


def _same(tensor: Tensor, *_made_of: Tensor) -> Tensor:
    return tensor


def _row_wise(edits: Sequence[Edit]) -> Edit:
    def edit(tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Apply edit r to row r; a tensor of one row, shared so far, gets a row for each."""
        rows = [part.expand(len(edits), *part.shape[1:]) for part in (tensor, *made_of)]
        return torch.cat(
            [edit(*(part[i : i + 1] for part in rows)) for i, edit in enumerate(edits)]
        )

    return edit
