"""Three measures, other than attention, of how a predicted piece depends on source pieces.

They measure log p(piece | source, target so far), with a number for each source piece or word.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.steps import Progress
from model.families import Network
from model.measures.likelihood import log_probs_of
from model.recording.recording import Recording
from model.sites.tap import Editor
from model.words import Span

AT_ONCE = 16
"""The number of shortened sentences in a batch: the logits of long sentences fill the memory."""


def gradient_times_input(
    model: Network, source_ids: Sequence[int], prefix: Sequence[int], piece: int
) -> NDArray[np.float64]:
    """Return gradient times input for each source piece, (S,).

    It is the gradient of log p(piece) with respect to a source piece's scaled embedding, times that
    embedding: its contribution to log p if the model were linear. `prefix` starts with the begin
    id.
    """
    embedding = torch.empty(0)

    def watch(tensor: Tensor) -> Tensor:  # 1 S D
        nonlocal embedding
        embedding = tensor.detach().requires_grad_(True)
        return embedding

    with torch.enable_grad():
        tap = Editor({"encoder.embedding": watch})
        logits = model(torch.tensor([source_ids]), torch.tensor([prefix]), tap)  # 1 T V
        log_prob = log_probs_of([piece], logits[0, -1:])[0]
        (gradient,) = torch.autograd.grad(log_prob, embedding)  # 1 S D
    return (gradient * embedding).detach().sum(dim=-1)[0].double().numpy()  # S


@torch.inference_mode()
def leave_one_out(
    model: Network,
    source_ids: Sequence[int],
    prefix: Sequence[int],
    piece: int,
    words: Sequence[Span],
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the fall of log p(piece) when each word is taken out of the source, (words,).

    The later pieces move up. Taking out the only word raises ValueError. `progress` receives the
    number of finished runs and of all runs.
    """
    ids = list(source_ids)
    shorter = [ids[:first] + ids[last + 1 :] for first, last in words]
    if not all(shorter):
        raise ValueError("a source of one word has nothing left without it")
    pad = [model.config.pad_id]
    rows = torch.tensor([row + pad * (len(ids) - len(row)) for row in [ids, *shorter]])  # W+1 S
    target = torch.tensor([prefix])  # 1 T
    runs_log_probs: list[Tensor] = []
    for few in rows.split(AT_ONCE):
        logits = model(few, target.expand(len(few), -1))[:, -1:]
        runs_log_probs.append(log_probs_of([piece], logits)[:, 0])
        if progress:
            progress(sum(map(len, runs_log_probs)), len(rows))
    log_probs = torch.cat(runs_log_probs)  # W+1
    return (log_probs[0] - log_probs[1:]).numpy()


def rollout(recording: Recording) -> NDArray[np.float64]:
    """Return attention rollout from the source to every decoder row, (T, S).

    Abnar and Zuidema (2020): the residual connection counts as half of each attention sublayer,
    heads are averaged, and the layers are multiplied. In the decoder a row mixes earlier rows by
    self-attention and the encoder's rollout by cross-attention; the rest of a row up to 1 comes
    from the target itself.
    """
    memory = np.eye(len(recording.source_tokens))  # S S
    for weights in _half_residual(recording.attention("encoder").mean(axis=1)):
        memory = weights @ memory
    rows = np.zeros((len(recording.target_tokens), len(memory)))  # T S
    self_attention = _half_residual(recording.attention("decoder").mean(axis=1))  # L T T
    cross = recording.attention("cross").mean(axis=1)  # L T S
    for mixed, crossed in zip(self_attention, cross, strict=True):
        rows = mixed @ rows
        rows = 0.5 * rows + 0.5 * crossed @ memory
    return rows


def _half_residual(weights: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mix self-attention (L, n, n) half and half with the identity."""
    return 0.5 * weights.astype(np.float64) + 0.5 * np.eye(weights.shape[-1])


def rank_correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation; equal values share their mean rank.

    NaN when there are fewer than two values or one side is constant. Raises ValueError when the
    two have different lengths.
    """
    if first.shape != second.shape:
        raise ValueError(f"{first.shape} values cannot be compared with {second.shape}")
    a, b = _ranks(first), _ranks(second)
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size else float("nan")


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    below = (values[:, None] > values).sum(axis=1)
    equal = (values[:, None] == values).sum(axis=1)
    return below + (equal - 1) / 2


def per_word(values: NDArray[np.float64], words: Sequence[Span]) -> NDArray[np.float64]:
    """Add the values of the pieces (..., S) of each word: (..., words)."""
    sums = [values[..., first : last + 1].sum(axis=-1) for first, last in words]
    return np.stack(sums, axis=-1)
