"""Side tasks that train the encoder: heads that only training needs, and their losses.

Each is a loss on the encoder's states, never on its attention: the model itself chooses where a
head looks. Checkpoints contain none of these heads.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.families import Config
from model.training.data.batches import Batch, MaskedText

_NEIGHBOURS = 256  # tokens of a batch, at most: their scores take most of the task's time


class SideHeads(nn.Module):
    """Guesses from encoder states: hidden pieces, neighbours, il or elle, the noun of "it".

    Pieces are scored by the model's own embedding, which does not learn from these guesses:
    otherwise French pieces, which are never the answer, would be pushed away from all others.
    """

    def __init__(self, config: Config) -> None:
        """Create maps for hidden pieces, both neighbours and nouns; the probe for il and elle."""
        super().__init__()
        self.piece = nn.Linear(config.d_model, config.d_model)
        self.noun = nn.Linear(config.d_model, config.d_model)
        self.before = nn.Linear(config.d_model, config.d_model)
        self.after = nn.Linear(config.d_model, config.d_model)
        self.norm = nn.LayerNorm(config.d_model)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.elle = nn.Linear(config.d_model, 2)

    def masked_loss(self, memory: Tensor, text: MaskedText, embedding: Tensor) -> Tensor:
        """Return the mean cross-entropy (nats) of the hidden pieces, from the memory (N, S, D)."""
        logits = self._pieces(self.piece(memory[text.chosen]), embedding)  # K V
        return F.cross_entropy(logits.float(), text.ids)

    def gender_loss(self, memory: Tensor, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of il against elle, from the memory (B, S, D) at "it"."""
        return _mean_loss(self.elle(_asked(memory, batch)), batch.elle, batch)

    def naming_loss(self, memory: Tensor, batch: Batch, embedding: Tensor) -> Tensor:
        """Return the mean cross-entropy of the noun's piece, from the memory (B, S, D) at "it"."""
        logits = self._pieces(self.noun(_asked(memory, batch)), embedding)  # B V
        return _mean_loss(logits, batch.noun, batch)

    def neighbours_loss(
        self, states: Tensor, source: Tensor, embedding: Tensor, pad_id: int
    ) -> Tensor:
        """Return the mean cross-entropy of the piece before and the piece after a token.

        It uses the states (B, S, D) of a sample of the tokens of `source` (B, S) that have such a
        neighbour.
        """
        both_tokens = source[:, 1:] != pad_id  # B S-1, one for every two neighbouring tokens
        some = both_tokens.flatten().nonzero()[:_NEIGHBOURS, 0]  # at most _NEIGHBOURS tokens
        losses = []
        for head, inputs, neighbours in (
            (self.before, states[:, 1:], source[:, :-1]),
            (self.after, states[:, :-1], source[:, 1:]),
        ):
            logits = self._pieces(head(inputs.flatten(0, 1)[some]), embedding)
            losses.append(F.cross_entropy(logits.float(), neighbours.flatten()[some]))
        return torch.stack(losses).mean()

    def _pieces(self, states: Tensor, embedding: Tensor) -> Tensor:
        return self.norm(states) @ embedding.detach().mT + self.bias  # ... V


def _asked(memory: Tensor, batch: Batch) -> Tensor:
    """Pick every row's state at "it" (B, D), or the first state in rows without a question."""
    rows = torch.arange(len(memory), device=memory.device)
    return memory[rows, batch.place.clamp_min(0)]


def _mean_loss(logits: Tensor, targets: Tensor, batch: Batch) -> Tensor:
    """Average over the rows with a question; without a question, 0 with a gradient of zeros.

    So every process has a gradient for every weight, and gradients can be added up.
    """
    asks = batch.place >= 0
    losses = F.cross_entropy(logits.float(), targets, reduction="none") * asks  # B
    return losses.sum() / asks.sum().clamp_min(1)
