"""A loss that keeps hidden units alive: some for each token, and each unit sometimes.

With the optimizer and normalisation of this model, the values before ReLU sink in every layer from
the first step on, even if the layer is needed. A unit that is below zero for all tokens learns no
more. This loss is zero where enough units are above zero, and otherwise lifts the nearest units. It
does not decide what a unit is for.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from model.families import Network, transformer
from model.sites.sites import Stack
from model.sites.tap import Edit

MARGIN = 0.1  # the margin above zero; values before ReLU start with a deviation of 0.6
_TOKENS = 512  # at most: these show the dead units, and all would take a sixth of a step
_ENTERS: dict[Stack, str] = {"encoder": "norm1", "decoder": "norm2"}


class Entering:
    """Keeps the inputs of every feed-forward layer in a forward pass."""

    def __init__(self, model: Network) -> None:
        """Prepare to watch a model; nothing is kept yet."""
        self.model = model
        self.kept: dict[tuple[Stack, int], Tensor] = {}

    def edits(self) -> dict[str, Edit]:
        """Return the edits, by site, that keep the values and change nothing."""
        return {
            f"{stack}.{layer}.{norm}": self._keeper(stack, layer)
            for stack, norm in (_ENTERS if self.model.config.kind == "transformer" else {}).items()
            for layer in range(self.model.config.layers(stack))
        }

    def _keeper(self, stack: Stack, layer: int) -> Edit:
        def keep(x: Tensor, *_made_of: Tensor) -> Tensor:
            self.kept[stack, layer] = x
            return x

        return keep

    def loss(self, real: dict[Stack, Tensor], share: float) -> Tensor:
        """Return the mean over layers; `real` (B, S) is True where a stack has a token."""
        model, losses = transformer(self.model), []
        some = {stack: where.flatten().nonzero()[:_TOKENS, 0] for stack, where in real.items()}
        for (stack, layer), x in self.kept.items():
            layers = model.encoder.layers if stack == "encoder" else model.decoder.layers
            hidden = layers[layer].ffn.hidden  # pyrefly: ignore[missing-attribute]
            losses.append(alive_loss(hidden(x.flatten(0, 1)[some[stack]]), share))
        return torch.stack(losses).mean()


def alive_loss(before: Tensor, share: float) -> Tensor:
    """Return the loss () of units below zero, from values (N, F) before ReLU.

    The nearest `share` of each token's units, and each unit at one token, should be above zero.
    """
    before = before.float()
    count = max(1, round(share * before.size(1)))
    of_tokens = F.relu(MARGIN - before.topk(count, dim=1).values).mean()
    of_units = F.relu(MARGIN - before.amax(0)).mean()
    return of_tokens + of_units
