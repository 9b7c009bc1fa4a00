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
    """Losses of one pass in nats, None for a task that has no part in it.

    `loss` is that of the translation, a piece; when the encoder learns alone, that of the guesses.
    Those of a pass are tensors (): to read a number would wait for the GPU. `mean` reads them.
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
        """Average several, each task over those in which it had a part; ValueError for none."""
        if not some:
            raise ValueError("there are no losses to average")
        columns = ([getattr(each, field.name) for each in some] for field in fields(Losses))
        kept = ([float(value) for value in column if value is not None] for column in columns)
        return Losses(*(sum(column) / len(column) if column else None for column in kept))  # pyrefly: ignore[bad-argument-type]

    def named(self) -> dict[str, float]:
        """Return the existing ones by name, rounded, ready for a line of the log."""
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
    """The model and the side tasks' heads, and the loss of one pass of both."""

    def __init__(self, model: Network, side: SideHeads, settings: TrainingSettings) -> None:
        """Keep all three."""
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
        """Draw which positions of a source (B, S) can be looked at (B, 1, S); the end always.

        So are all positions of a sentence that asks about "it": who could not read "it" would learn
        another way to the pronoun.
        """
        kept = torch.rand(batch.source.shape, device=batch.source.device) >= unread  # B S
        kept |= (batch.source == self.settings.config.end_id) | (batch.place >= 0)[:, None]
        return kept.unsqueeze(1)

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
        """Return the weighted sum of all losses of this phase, and each alone.

        A task of weight 0 is not computed, so its head gets no gradient.
        """
        text = self._guess(examples.text, phase) if examples.text else None
        if examples.pairs is None:
            if text is None:
                raise ValueError("examples must have pairs or text")
            return text
        total, losses = self._translated(examples.pairs, phase)
        if examples.minimal:
            caused, found = self._caused(examples.minimal, phase)
            total, losses = total + caused, replace(losses, **found)
        if text is not None:
            weight = in_phase(self.settings.masked, phase)
            total, losses = total + weight * text[0], replace(losses, masked=text[1].masked)
        return total, losses

    def _translated(self, batch: Batch, phase: int) -> tuple[Tensor, Losses]:
        settings, asked = self.settings, bool((batch.place >= 0).any())
        passed = self.translate(batch, settings.smoothing, in_phase(settings.unread, phase))
        total, losses = passed.loss, Losses(passed.loss.detach())
        for name, find in self._side_losses(passed, batch).items():
            if weight := in_phase(getattr(settings, name), phase):
                found = find()
                total = total + weight * found
                if asked or name not in ("gender", "naming"):
                    losses = replace(losses, **{name: found.detach()})
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
        """Return the weighted sum of the causal losses, and each alone by name."""
        settings = self.settings
        weights = {name: in_phase(getattr(settings, name), phase) for name in CAUSAL}
        wanted = [name for name in CAUSAL if weights[name]]
        causal = CausalObjective(transformer(self.model), batch, settings.carrier)
        found = causal.losses(wanted, settings.smoothing)
        total = torch.stack([weights[name] * loss for name, loss in found.items()]).sum()
        return total, {name: loss.detach() for name, loss in found.items()}

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
    """Let every target position see all given ones (B, T), before and after it: (B, T, T)."""
    return padding_mask(given, pad_id).expand_as(mask)  # B T T
