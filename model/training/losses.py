"""What a step is taught: translation, and the side tasks that give the encoder work."""

from dataclasses import astuple, dataclass, fields

import torch
from torch import Tensor, nn

from model.recording.tap import Editor
from model.training.batches import Batch
from model.training.loss import smoothed_cross_entropy
from model.training.settings import TrainingSettings, in_phase
from model.training.side import SideHeads
from model.training.stream import Examples
from model.transformer.transformer import Transformer


@dataclass(frozen=True)
class Losses:
    """Losses of one pass in nats, None where a task has no part in it.

    `loss` is that of the translation, a piece; when the encoder learns alone, that of the guesses.
    """

    loss: float
    masked: float | None = None
    gender: float | None = None
    naming: float | None = None

    @staticmethod
    def mean(some: "list[Losses]") -> "Losses":
        """Average several, each task over those in which it had a part; ValueError for none."""
        if not some:
            raise ValueError("there are no losses to average")
        columns = zip(*map(astuple, some), strict=True)
        kept = ([value for value in column if value is not None] for column in columns)
        return Losses(*(sum(column) / len(column) if column else None for column in kept))  # pyright: ignore

    def named(self) -> dict[str, float]:
        """Return those that there are by name, rounded, ready for a line of the log."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {name: round(value, 4) for name, value in values if value is not None}


class Objective(nn.Module):
    """The model and the side tasks' heads, and the loss of one pass of both."""

    def __init__(self, model: Transformer, side: SideHeads, settings: TrainingSettings) -> None:
        """Keep all three."""
        super().__init__()
        self.model, self.side, self.settings = model, side, settings

    def translate(self, batch: Batch, smoothing: float) -> tuple[Tensor, Tensor]:
        """Return the translation's loss, in nats a piece, and the memory (B, S, D)."""
        # A generated sentence leaves its words' embeddings as they are. Real sentences teach what
        # a word means; else each adjective would learn by heart which noun it speaks of.
        rows = batch.generated[:, None, None]  # B 1 1
        tap = Editor({"encoder.embedding": lambda x: torch.where(rows, x.detach(), x)})
        memory, mask = self.model.encode(batch.source, tap)  # B S D
        logits = self.model.decode(batch.given, memory, mask)  # B T V
        targets = batch.target[:, 1:].flatten()
        pad_id = self.settings.config.pad_id
        return smoothed_cross_entropy(logits.flatten(0, 1), targets, smoothing, pad_id), memory

    def forward(self, examples: Examples, phase: int) -> tuple[Tensor, Losses]:
        """Return the weighted sum of all losses of this phase, and each alone."""
        settings, batch = self.settings, examples.pairs
        guessed = self._masked(examples)
        if batch is None:
            if guessed is None:
                raise ValueError("examples must have pairs or text")
            return guessed, Losses(guessed.item(), guessed.item())
        total, memory = self.translate(batch, settings.smoothing)
        translation, gender, naming = total.item(), None, None
        asked = bool((batch.place >= 0).any())
        if weight := in_phase(settings.gender, phase):
            loss = self.side.gender_loss(memory, batch)
            total, gender = total + weight * loss, loss.item() if asked else None
        if weight := in_phase(settings.naming, phase):
            loss = self.side.naming_loss(memory, batch, self.model.embedding.weight)
            total, naming = total + weight * loss, loss.item() if asked else None
        if guessed is not None:
            total = total + in_phase(settings.masked, phase) * guessed
        return total, Losses(
            translation, None if guessed is None else guessed.item(), gender, naming
        )

    def _masked(self, examples: Examples) -> Tensor | None:
        if examples.text is None:
            return None
        memory = self.model.encode(examples.text.source)[0]  # N S D
        return self.side.masked_loss(memory, examples.text, self.model.embedding.weight)
