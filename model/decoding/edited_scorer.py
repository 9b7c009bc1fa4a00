"""The scorer of decoding under interventions: every step runs the model with its edits."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import torch
from torch import Tensor

from model.recording.tap import Edit, Editor, Tap


class EncoderDecoder(Protocol):
    """What this scorer asks of a model, whatever it is made of."""

    def encode(self, src: Tensor, tap: Tap, /) -> tuple[Tensor, Tensor]:
        """Map source ids (B, S) to a memory (B, S, D) and its padding mask (B, 1, S)."""
        ...

    def decode(self, tgt: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap, /) -> Tensor:
        """Map target ids (B, T) to logits (B, T, V)."""
        ...


class EditedScorer:
    """Scores what follows prefixes (N, T) in a model whose sites are edited.

    The source is encoded once; each prefix runs whole, as an edit may change any position of it.
    What a draft holds is scored in a single run: use one where no edit lets a piece look ahead.
    Raises ValueError when the edits leave a query nothing to look at.
    """

    def __init__(
        self,
        model: EncoderDecoder,
        source_ids: Sequence[int],
        edits: Mapping[str, Edit],
        draft: Sequence[int] = (),
    ) -> None:
        """Encode the source under the edits; score a draft that begins with the begin id."""
        self._model, self._tap = model, Editor(edits)
        self._memory, self._mask = model.encode(torch.tensor([source_ids]), self._tap)  # 1 S D
        self._draft = torch.tensor([draft], dtype=torch.long)  # 1 T
        self._scored = self._decode(self._draft)[0] if draft else None  # T V

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix."""
        length = prefixes.size(1)
        if self._scored is not None and torch.equal(prefixes, self._draft[:, :length]):
            return self._scored[length - 1 : length]  # 1 V
        return self._decode(prefixes)[:, -1]  # N V

    def _decode(self, prefixes: Tensor) -> Tensor:
        memory = self._memory.expand(prefixes.size(0), -1, -1)  # N S D
        logits = self._model.decode(prefixes, memory, self._mask, self._tap)  # N T V
        if bool(logits.isnan().any()):
            raise ValueError("the interventions leave a query without any key to look at")
        return logits
