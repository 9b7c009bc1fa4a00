"""Some steps of gradient descent on one pair of sentences, on a copy of the weights."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.steps import Limits
from model.learning.example import batch, frozen
from model.learning.learner import Learner, LearningStep, copy_of
from model.learning.recipe import MOST_PIECES, SECONDS, Recipe
from model.learning.residuals import WithoutResiduals
from model.sites.sites import Kind
from model.tokenizer import Tokenizer
from model.transformer.transformer import Transformer


@dataclass(frozen=True)
class Moment:
    """The copy at one moment: its loss in nats a piece and its greedy translation."""

    loss: float
    translation: str


@dataclass(frozen=True, eq=False)
class Descent:
    """The result of some steps. N steps were taken, of `recipe.steps`; all arrays are read-only.

    `blocks` names the parts of the model: embedding, then each sublayer with its norm. `gradients`
    (N, blocks) holds the norm of each block's gradient before each step, unclipped; `updates` (N,
    blocks) the norm of each step's change; `weights` (blocks,) the norm of the initial weights.
    `bare` (blocks,) is the norm of the first gradient with all residual connections left out, and
    `bare_loss` the loss of that pass. `attention` (N + 1, L, H, query, key) is kept for each kind,
    with the reference as decoder input.
    """

    recipe: Recipe
    blocks: tuple[str, ...]
    moments: tuple[Moment, ...]
    gradients: NDArray[np.float32]
    updates: NDArray[np.float32]
    weights: NDArray[np.float32]
    bare: NDArray[np.float32]
    bare_loss: float
    encoder: NDArray[np.float32]
    decoder: NDArray[np.float32]
    cross: NDArray[np.float32]
    source_tokens: tuple[str, ...]
    input_tokens: tuple[str, ...]

    @property
    def taken(self) -> int:
        """Return the number of steps taken within the time limit."""
        return len(self.moments) - 1

    def attention(self, kind: Kind) -> NDArray[np.float32]:
        """Return the weights of one kind at every moment, (N + 1, L, H, query, key)."""
        return {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[kind]


def descend(
    model: Transformer,
    tokenizers: tuple[Tokenizer, Tokenizer],
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    limits: Limits,
    recipe: Recipe,
    *,
    seconds: float = SECONDS,
    progress: Callable[[int, int], object] | None = None,
) -> Descent:
    """Take steps on a copy of the model; the model itself is only read.

    `tokenizers` are the source's and the target's. `target_ids` have the begin token first and the
    end token last. The first step is always taken, further steps only while they should end within
    `seconds` of the thread's own computing time, so that a busy machine takes as many steps.
    `progress` receives the numbers of steps done and asked for. A model of 13 million weights needs
    some 350 MB, so run one at a time. Raises ValueError beyond MOST_PIECES a side.
    """
    if max(len(source_ids), len(target_ids) - 1) > MOST_PIECES:
        raise ValueError(f"at most {MOST_PIECES} pieces a side fit into a descent")
    pair = batch(source_ids, target_ids)
    learner = Learner(copy_of(model, recipe.start), pair, recipe)
    bare_loss, bare = learner.gradient(WithoutResiduals())
    weights = learner.norms(learner.model.parameters())
    steps = _steps(learner, limits, recipe.steps, seconds, progress)
    seen = [*(step.seen for step in steps), learner.look(limits)]
    return Descent(
        recipe=recipe,
        blocks=learner.blocks,
        moments=tuple(Moment(step.loss, tokenizers[1].decode(list(step.ids))) for step in seen),
        gradients=_rows([step.gradients for step in steps]),
        updates=_rows([step.updates for step in steps]),
        weights=_rows(weights),
        bare=_rows(bare),
        bare_loss=bare_loss,
        encoder=_rows([step.attention["encoder"] for step in seen]),
        decoder=_rows([step.attention["decoder"] for step in seen]),
        cross=_rows([step.attention["cross"] for step in seen]),
        source_tokens=tuple(tokenizers[0].tokens(list(source_ids))),
        input_tokens=tuple(tokenizers[1].tokens(list(target_ids[:-1]))),
    )


def _steps(
    learner: Learner,
    limits: Limits,
    most: int,
    seconds: float,
    progress: Callable[[int, int], object] | None,
) -> list[LearningStep]:
    """Take at most `most` steps; after the first, only steps that should end in time."""
    taken: list[LearningStep] = []
    started = time.thread_time()
    while len(taken) < most:
        taken.append(learner.step(limits))
        if progress:
            progress(len(taken), most)
        per_step = (time.thread_time() - started) / len(taken)
        if per_step * (len(taken) + 1) > seconds:
            break
    return taken


def _rows(
    values: Sequence[Tensor] | Sequence[float] | Sequence[list[float]],
) -> NDArray[np.float32]:
    parts = [torch.as_tensor(value, dtype=torch.float32) for value in values]
    return frozen(torch.stack(parts))
