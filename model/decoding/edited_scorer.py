"""The scorer of decoding under interventions: every step runs the model with its edits."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import torch
from torch import Tensor

from model.decoding.draft import with_guess
from model.sites.tap import Edit, Editor, Tap
from model.transformer.config import ModelConfig


class EncoderDecoder(Protocol):
    """The methods of a model that this scorer calls, for both families of models."""

    @property
    def config(self) -> ModelConfig:
        """The model's sizes."""
        ...

    def encode(self, src: Tensor, tap: Tap, /) -> tuple[Tensor, Tensor]:
        """Map source ids (B, S) to a memory (B, S, D) and its padding mask (B, 1, S)."""
        ...

    def decode(self, tgt: Tensor, memory: Tensor, memory_mask: Tensor, tap: Tap, /) -> Tensor:
        """Map target ids (B, T) to logits (B, T, V)."""
        ...


class EditedScorer:
    """Scores what follows prefixes (N, T) in a model whose sites are edited.

    The source is encoded once. Each prefix runs as a whole, as an edit may change any of its
    positions. The guesses of a draft are scored in the same run; use a draft only where no edit
    lets a piece look ahead. Raises ValueError when the edits leave a query without any key.
    """

    def __init__(
        self,
        model: EncoderDecoder,
        source_ids: Sequence[int],
        edits: Mapping[str, Edit],
        draft: Sequence[int] = (),
    ) -> None:
        """Encode the source under the edits; a draft begins with the begin id."""
        self._model, self._tap = model, Editor(edits)
        self._memory, self._mask = model.encode(torch.tensor([source_ids]), self._tap)  # 1 S D
        self._draft = draft
        self._seen = self._scored = torch.empty(1, 0)  # 1 T, and T V: scores after each piece

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of the piece after each prefix."""
        if len(prefixes) > 1 or not self._draft:
            return self._checked(self._decode(prefixes))[:, -1]  # N V
        length = prefixes.size(1)
        if not torch.equal(prefixes, self._seen[:, :length]):
            self._score_along(prefixes)
        return self._scored[length - 1 : length]  # 1 V

    def _score_along(self, prefix: Tensor) -> None:
        """Score a prefix (1, T) and its guess, or itself alone if a guessed piece has no key."""
        self._seen = with_guess(prefix, self._draft, self._model.config.max_length)
        self._scored = self._decode(self._seen)[0]
        if bool(self._scored.isnan().any()):
            self._seen, self._scored = prefix, self._checked(self._decode(prefix)[0])

    def _decode(self, prefixes: Tensor) -> Tensor:
        memory = self._memory.expand(prefixes.size(0), -1, -1)  # N S D
        return self._model.decode(prefixes, memory, self._mask, self._tap)  # N T V

    @staticmethod
    def _checked(logits: Tensor) -> Tensor:
        if bool(logits.isnan().any()):
            raise ValueError("the interventions leave a query without any key to look at")
        return logits
