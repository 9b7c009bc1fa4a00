"""The losses of a step: translation, and the side tasks that train the encoder."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor, nn

from model.families import Network, transformer
from model.learning.cross_entropy import smoothed_cross_entropy
from model.sites.sites import Stack
from model.sites.tap import Editor
from model.training.data.batches import Batch, MaskedText
from model.training.data.minimal import MinimalBatch
from model.training.data.stream import Examples
from model.training.losses.alive import Entering
from model.training.losses.causal import CausalObjective
from model.training.losses.resting import Looking
from model.training.losses.side import SideHeads
from model.training.settings import ALONE, CAUSAL, TrainingSettings, in_phase
from model.transformer.masks import padding_mask

NEIGHBOURS_LAYER = 1
"""The encoder layer, from 0, whose states name neighbours, so that two layers learn to look."""


@dataclass(frozen=True)
class Losses:
    """Losses of one pass in nats; None for a task without a part in the pass.

    `loss` is the loss of the translation for each piece, or of the guesses while the encoder learns
    alone. A pass gives tensors (), as reading a number would wait for the GPU; `mean` reads them.
    """

    loss: float | Tensor
    masked: float | Tensor | None = None
    gender: float | Tensor | None = None
    naming: float | Tensor | None = None
    neighbours: float | Tensor | None = None
    alive: float | Tensor | None = None
    resting: float | Tensor | None = None
    interchange: float | Tensor | None = None
    link: float | Tensor | None = None
    one_head: float | Tensor | None = None
    reads: float | Tensor | None = None
    turn: float | Tensor | None = None
    share: float | Tensor | None = None

    @staticmethod
    def mean(some: "list[Losses]") -> "Losses":
        """Average each task over the passes in which it had a part; ValueError without a pass."""
        if not some:
            raise ValueError("there are no losses to average")
        columns = ([getattr(losses, field.name) for losses in some] for field in fields(Losses))
        kept = ([float(value) for value in column if value is not None] for column in columns)
        return Losses(*(sum(column) / len(column) if column else None for column in kept))  # pyrefly: ignore[bad-argument-type]

    def named(self) -> dict[str, float]:
        """Return the losses that were computed, rounded, by their names, for a line of the log."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {name: round(float(value), 4) for name, value in values if value is not None}


@dataclass(frozen=True)
class Passed:
    """One pass over a batch: its loss, the memory (B, S, D) and the kept tensors."""

    loss: Tensor
    memory: Tensor
    entering: Entering
    looking: Looking


class Objective(nn.Module):
    """The loss of one pass through the model and the heads of the side tasks."""

    def __init__(self, model: Network, side: SideHeads, settings: TrainingSettings) -> None:
        """Keep the model, the heads of the side tasks and the settings."""
        super().__init__()
        self.model, self.side, self.settings = model, side, settings
        self.pad_id = settings.config.pad_id

    def translate(self, batch: Batch, smoothing: float, unread: float = 0.0) -> Passed:
        """Translate a batch; the loss is in nats a piece.

        The decoder cannot look at a share `unread` of the source's positions, drawn anew for each
        sentence, at any step or in any head.
        """
        # A generated sentence leaves its words' embeddings unchanged. Real sentences teach the
        # meaning of a word; otherwise each adjective would learn its nouns by heart.
        rows = batch.generated[:, None, None]  # B 1 1
        entering, looking = Entering(self.model), Looking(self.model)
        leave = {"encoder.embedding": lambda x: torch.where(rows, x.detach(), x)}
        if self.settings.look_ahead:
            leave["decoder.mask"] = lambda x: without_look_ahead(x, batch.given, self.pad_id)
        tap = Editor(leave | entering.edits() | looking.edits())
        memory, mask = self.model.encode(batch.source, tap)  # B S D
        if unread:
            mask = mask & self._readable(batch, unread)
        logits = self.model.decode(batch.given, memory, mask, tap)  # B T V
        targets = batch.target[:, 1:].flatten()
        loss = smoothed_cross_entropy(logits.flatten(0, 1), targets, smoothing, self.pad_id)
        return Passed(loss, memory, entering, looking)

    def _readable(self, batch: Batch, unread: float) -> Tensor:
        """Draw a mask (B, 1, S) of the source positions that can be looked at; the end always can.

        So can all positions of a sentence with a question about "it". Otherwise the decoder would
        learn another way to the pronoun.
        """
        readable = torch.rand(batch.source.shape, device=batch.source.device) >= unread  # B S
        readable |= (batch.source == self.settings.config.end_id) | (batch.place >= 0)[:, None]
        return readable.unsqueeze(1)

    @torch.no_grad()
    def measure(self, batches: Iterable[Batch]) -> float:
        """Return the loss of all batches in nats a piece, without smoothing or dropout."""
        self.model.eval()
        total, pieces = 0.0, 0
        for batch in batches:
            count = int((batch.target[:, 1:] != self.pad_id).sum())
            total += self.translate(batch, 0.0).loss.item() * count
            pieces += count
        return total / pieces if pieces else math.nan

    def forward(self, examples: Examples, phase: int) -> tuple[Tensor, Losses]:
        """Return the weighted sum of this phase's losses, and the single losses.

        A task of weight 0 is not computed, so its head gets no gradient.
        """
        guessed = self._guess(examples.text, phase) if examples.text else None
        if examples.pairs is None:
            if guessed is None:
                raise ValueError("examples must have pairs or text")
            return guessed
        total, losses = self._translated(examples.pairs, phase)
        if examples.minimal:
            causal_loss, causal_losses = self._caused(examples.minimal, phase)
            total, losses = total + causal_loss, replace(losses, **causal_losses)
        if guessed is not None:
            weight = in_phase(self.settings.masked, phase)
            total, losses = total + weight * guessed[0], replace(losses, masked=guessed[1].masked)
        return total, losses

    def _translated(self, batch: Batch, phase: int) -> tuple[Tensor, Losses]:
        settings, has_question = self.settings, bool((batch.place >= 0).any())
        passed = self.translate(batch, settings.smoothing, in_phase(settings.unread, phase))
        total, losses = passed.loss, Losses(passed.loss.detach())
        for name, measure in self._side_losses(passed, batch).items():
            if weight := in_phase(getattr(settings, name), phase):
                loss = measure()
                total = total + weight * loss
                if has_question or name not in ("gender", "naming"):
                    losses = replace(losses, **{name: loss.detach()})
        return total, losses

    def _side_losses(self, passed: Passed, batch: Batch) -> dict[str, Callable[[], Tensor]]:
        """Return a function for each side task of a translated batch, by the name of its weight."""
        side, settings, embedding = self.side, self.settings, self.model.embedding.weight
        layer = min(NEIGHBOURS_LAYER, self.model.config.layers("encoder") - 1)
        source = batch.source != self.pad_id  # B S
        real: dict[Stack, Tensor] = {"encoder": source, "decoder": batch.given != self.pad_id}
        return {
            "gender": lambda: side.gender_loss(passed.memory, batch),
            "naming": lambda: side.naming_loss(passed.memory, batch, embedding),
            "neighbours": lambda: side.neighbours_loss(
                passed.entering.kept["encoder", layer], batch.source, embedding, self.pad_id
            ),
            "alive": lambda: passed.entering.loss(real, settings.alive_share),
            "resting": lambda: passed.looking.loss(batch.resting, source, settings.resting_share),
        }

    def _caused(self, batch: MinimalBatch, phase: int) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the weighted sum of the causal losses, and the single losses by name."""
        settings = self.settings
        weights = {name: in_phase(getattr(settings, name), phase) for name in CAUSAL}
        names = [name for name in CAUSAL if weights[name]]
        causal = CausalObjective(transformer(self.model), batch, settings.carrier)
        by_name = causal.losses(names, settings.smoothing)
        total = torch.stack([weights[name] * loss for name, loss in by_name.items()]).sum()
        return total, {name: loss.detach() for name, loss in by_name.items()}

    def _guess(self, text: MaskedText, phase: int) -> tuple[Tensor, Losses]:
        entering = Entering(self.model)
        memory, _ = self.model.encode(text.source, Editor(entering.edits()))  # N S D
        total = self.side.masked_loss(memory, text, self.model.embedding.weight)
        losses = Losses(total.detach(), masked=total.detach())
        if phase == ALONE and (weight := in_phase(self.settings.alive, phase)):
            alive = entering.loss(
                {"encoder": text.source != self.pad_id}, self.settings.alive_share
            )
            total, losses = total + weight * alive, replace(losses, alive=alive.detach())
        return total, losses


def without_look_ahead(mask: Tensor, given: Tensor, pad_id: int) -> Tensor:
    """Return a mask (B, T, T) by which every target position sees all given positions (B, T)."""
    return padding_mask(given, pad_id).expand_as(mask)  # B T T
