"""The decoder's access to the source: a fixed vector, or attention.

Every class maps decoder states s_t (B, T, R) and encoder states h_j (B, S, R) to contexts c_t (B,
T, R). The decoder chooses the state that asks. It may be s_t, the state after the step, as in Luong
et al. (2015): then no step of attention waits for another, and only the score functions differ. Or
it is s_{t-1}, as in Bahdanau et al. (2015), who feed c_t to the step.
"""

import math

import torch
from torch import Tensor, nn

from model.recurrent.config import RecurrentConfig
from model.sites.tap import NO_TAP, Tap


def fixed_vector(memory: Tensor, mask: Tensor) -> Tensor:
    """Return the last state of either direction, side by side: (B, R), of memory (B, S, R).

    The forward half ends at the last piece before padding, the backward half at the first.
    """
    half = memory.size(-1) // 2
    last = mask.sum(dim=-1).sub(1).expand(memory.size(0), -1)  # B 1
    rows = torch.arange(memory.size(0), device=memory.device)
    return torch.cat([memory[rows, last[:, 0], :half], memory[:, 0, half:]], dim=-1)  # B R


class FixedVector(nn.Module):
    """No attention: every step gets the same vector."""

    def __init__(self, config: RecurrentConfig) -> None:  # noqa: ARG002
        """Create the module; it has no weights."""
        super().__init__()

    def forward(self, states: Tensor, memory: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Give the encoder's last states (B, R) to every step: (B, T, R)."""
        vector = fixed_vector(memory, mask).unsqueeze(1)  # B 1 R
        return tap("context", vector.expand(-1, states.size(1), -1))  # B T R


class Dot(nn.Module):
    """e_tj = s_t . h_j / sqrt(R), then softmax (Luong et al. 2015, equations 7 and 8).

    Luong et al. do not divide. Undivided, the scores of such wide states soon give one position all
    the weight, and all other positions no gradient: "general" had learned no alignment after 400
    steps.
    """

    def __init__(self, config: RecurrentConfig) -> None:  # noqa: ARG002
        """Create the module: the dot product has no weights of its own."""
        super().__init__()

    def forward(self, states: Tensor, memory: Tensor, mask: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Mix the encoder states by their match with each decoder state: (B, T, R)."""
        scores = tap("scores", self.score(states, memory).unsqueeze(1))  # B 1 T S
        weights = tap("weights", self.weights(scores, states, mask.unsqueeze(1), tap))  # B 1 T S
        return tap("context", weights.squeeze(1) @ memory)  # B T R

    def score(self, states: Tensor, memory: Tensor) -> Tensor:
        """Score every pair of states: (B, T, S)."""
        return states @ memory.mT / math.sqrt(memory.size(-1))

    def weights(self, scores: Tensor, states: Tensor, mask: Tensor, tap: Tap) -> Tensor:  # noqa: ARG002
        """Turn scores (B, 1, T, S) into weights; `mask` (B, 1, 1, S) is True at real pieces."""
        return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)


class General(Dot):
    """e_tj = s_t . W h_j / sqrt(R)."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Create W (R, R)."""
        super().__init__(config)
        self.key = nn.Linear(config.d_state, config.d_state, bias=False)

    def score(self, states: Tensor, memory: Tensor) -> Tensor:
        """Score every pair of states: (B, T, S)."""
        return states @ self.key(memory).mT / math.sqrt(memory.size(-1))


class Additive(Dot):
    """e_tj = v . tanh(W [s_t; h_j]): "concat". W is kept as its two halves."""

    def __init__(self, config: RecurrentConfig) -> None:
        """Create the halves of W (A, R) and v (A)."""
        super().__init__(config)
        self.query = nn.Linear(config.d_state, config.d_score, bias=False)
        self.key = nn.Linear(config.d_state, config.d_score, bias=False)
        self.v = nn.Parameter(torch.empty(config.d_score))

    def score(self, states: Tensor, memory: Tensor) -> Tensor:
        """Score every pair of states: (B, T, S)."""
        pairs = self.query(states).unsqueeze(2) + self.key(memory).unsqueeze(1)  # B T S A
        return pairs.tanh() @ self.v


class LocalPredictive(General):
    """Attention in a window around a predicted position (Luong et al. 2015, section 3.2).

    p_t = S sigmoid(v . tanh(W s_t)); the softmax takes the positions at most D from p_t, and
    each weight is multiplied by exp(-(j - p_t)^2 / (2 sigma^2)) with sigma = D / 2, so a row of
    weights may sum to less than one. Positions count from 0.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        """Create W and v of the position, and the general score."""
        super().__init__(config)
        self.window = config.window
        self.position = nn.Linear(config.d_state, config.d_score, bias=False)
        self.v = nn.Parameter(torch.empty(config.d_score))

    def weights(self, scores: Tensor, states: Tensor, mask: Tensor, tap: Tap) -> Tensor:
        """Turn scores (B, 1, T, S) into weights inside each step's window."""
        length = mask.sum(dim=-1).to(scores.dtype)  # B 1 1
        share = torch.sigmoid(self.position(states).tanh() @ self.v)  # B T
        centre = tap("position", share * length[:, 0])  # B T
        distance = torch.arange(scores.size(-1), device=scores.device) - centre[..., None]  # B T S
        window = tap("window", torch.full_like(centre, self.window))  # B T
        sigma = tap("sigma", window / 2)  # B T
        near = mask & (distance.abs() <= window[..., None]).unsqueeze(1)  # B 1 T S
        gaussian = torch.exp(-(distance / sigma[..., None]).square() / 2).unsqueeze(1)  # B 1 T S
        gaussian = tap("gaussian", gaussian * near)  # B 1 T S
        weights = scores.masked_fill(~near, -torch.inf).softmax(dim=-1) * gaussian  # B 1 T S
        # Only a centre that was moved out of the sentence has nothing near it.
        return weights.masked_fill(~near.any(dim=-1, keepdim=True), 0.0)


ATTENTIONS = {
    "none": FixedVector,
    "cho": FixedVector,
    "dot": Dot,
    "general": General,
    "additive": Additive,
    "local-p": LocalPredictive,
    "bahdanau": Additive,
    "lstm": Additive,
}
