"""What a change does to the next words, without a new translation."""

from dataclasses import dataclass

import numpy as np
import torch

from model.decoding.steps import normalised
from model.interventions.base import Intervention
from model.words import WORD_START
from viz.compute import runs
from viz.compute.models import kept


@dataclass(frozen=True)
class StepChances:
    """The two pieces that a step decides between, in the trained model and under changes.

    `pieces` are the piece that the trained model writes at `step`, and the likeliest other one
    under the changes; `before` and `after` are their probabilities. `stays` is True if the changed
    model writes every piece of the trained model's translation.
    """

    step: int
    pieces: tuple[str, str]
    before: tuple[float, float]
    after: tuple[float, float]
    stays: bool


@kept
def step_chances(
    sentence: str, changes: tuple[Intervention, ...], step: int | None = None
) -> StepChances:
    """Read a step of the trained model's translation under changes that fit it.

    By default it is the step whose own piece changes most. Raises ValueError when there is no
    sentence.
    """
    loaded, run = runs.translator(), runs.run(sentence)
    fit, _ = loaded.fitting(run.source, changes, run.translation)
    with torch.inference_mode():
        logits = loaded.logits(run.source, run.translation, fit)  # T V
        after = normalised(logits).exp().numpy()
        before = normalised(torch.tensor(run.recording.logits)).exp().numpy()
    ids = np.array([*run.recording.target_ids[1:], loaded.tokenizer.end_id])
    rows = np.arange(len(ids))
    if step is None or step >= len(ids):
        step = int(np.abs(after[rows, ids] - before[rows, ids]).argmax())
    best = after[step].argsort()[::-1][:2].tolist()
    own = int(ids[step])
    pair = [own, next(piece for piece in best if piece != own)]
    one, other = (name.strip(WORD_START) or "␣" for name in runs.token_names(pair))
    return StepChances(
        step,
        (one, other),
        (float(before[step, pair[0]]), float(before[step, pair[1]])),
        (float(after[step, pair[0]]), float(after[step, pair[1]])),
        bool((logits.argmax(dim=-1).numpy() == ids).all()),
    )
