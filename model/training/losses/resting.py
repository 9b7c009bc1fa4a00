"""A loss against heads that rest: encoder weight on `</s>` and punctuation above a share.

It is the only loss on attention itself, and a last resort: it says where heads should not all look,
never where one should look. The card of a model trained with it says so.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from model.families import Network
from model.sites.tap import Edit


class Looking:
    """Keeps the encoder's attention weights in a forward pass."""

    def __init__(self, model: Network) -> None:
        """Start empty."""
        self.layers = model.config.layers("encoder") if model.config.kind == "transformer" else 0
        self.kept: list[Tensor] = []

    def edits(self) -> dict[str, Edit]:
        """Return the edits, by site, that keep and change nothing."""

        def keep(weights: Tensor, *_made_of: Tensor) -> Tensor:
            self.kept.append(weights)  # B H S S
            return weights

        return {f"encoder.{layer}.self_attn.weights": keep for layer in range(self.layers)}

    def loss(self, resting: Tensor, real: Tensor, share: float) -> Tensor:
        """Return the excess of the mean weight on the keys `resting` (B, S) over `share`.

        The mean is over the queries that are `real` (B, S) of all heads and layers.
        """
        means = [(weights * resting[:, None, None]).sum(-1).mean(1) for weights in self.kept]  # B S
        each = torch.stack(means).float().mean(0) * real
        return F.relu(each.sum() / real.sum() - share)
