"""A loss against resting heads: encoder weight on `</s>` and punctuation above a share.

It is the only loss on attention itself, and a last resort: it says where the heads together look
too much, never where a head should look. The card of a model trained with this loss says so.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from model.families import Network
from model.sites.tap import Edit


class Looking:
    """Keeps the encoder's attention weights in a forward pass."""

    def __init__(self, model: Network) -> None:
        """Prepare to watch a model; nothing is kept yet."""
        self.layers = model.config.layers("encoder") if model.config.kind == "transformer" else 0
        self.kept: list[Tensor] = []

    def edits(self) -> dict[str, Edit]:
        """Return the edits, by site, that keep the weights and change nothing."""

        def keep(weights: Tensor, *_made_of: Tensor) -> Tensor:
            self.kept.append(weights)  # B H S S
            return weights

        return {f"encoder.{layer}.self_attn.weights": keep for layer in range(self.layers)}

    def loss(self, resting: Tensor, real: Tensor, share: float) -> Tensor:
        """Return the excess of the mean weight on the keys `resting` (B, S) over `share`.

        The mean is over the `real` queries (B, S), all heads and all layers.
        """
        means = [(weights * resting[:, None, None]).sum(-1).mean(1) for weights in self.kept]  # B S
        by_query = torch.stack(means).float().mean(0) * real
        return F.relu(by_query.sum() / real.sum() - share)
