"""The training loop: steps, log, saved state."""

import io
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError

import torch
import torch.distributed as dist
from torch import Tensor

from model.checkpoints.checkpoint import write_whole
from model.families import build
from model.recording.tap import Editor
from model.training.data import Batch, BatchMaker, endless
from model.training.loss import smoothed_cross_entropy
from model.training.optimizer import MasterWeights
from model.training.schedule import learning_rate
from model.training.settings import TrainingSettings


@dataclass(frozen=True)
class Place:
    """Where a process of a run computes: its device, its number and how many there are."""

    device: torch.device
    dtype: torch.dtype
    rank: int = 0
    world: int = 1


@dataclass(frozen=True)
class Progress:
    """One step's figures; loss in nats a piece, with smoothing."""

    step: int
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens: int
    seconds: float


class Trainer:
    """A run that can be stopped at any step and taken up again, on a CPU bit for bit.

    (CUDA adds up some gradients in an order of its own.) `folder` receives state.pt (weights,
    optimizers, random state, step) and log.jsonl.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        batches: BatchMaker,
        folder: Path,
        place: Place,
        embedding: Tensor | None = None,
    ) -> None:
        """Create a model with seeded weights, the same on every process.

        The embedding (V, D) starts as given, else from random numbers.
        """
        self.settings, self.batches, self.folder, self.place = settings, batches, folder, place
        torch.manual_seed(settings.seed)
        self.model = build(settings.config, settings.dropout).to(place.device)
        if embedding is not None:
            self.model.embedding.weight.data.copy_(embedding)
        self.weights = MasterWeights(
            self.model,
            place.dtype,
            settings.peak,
            settings.weight_decay,
            settings.embedding_rate,
        )
        torch.manual_seed(settings.seed + 1 + place.rank)
        self.step = 0
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)

    def run(self) -> Iterator[Progress]:
        """Train until `settings.steps`, yielding the figures of every step."""
        place = self.place
        data = endless(self.batches, self.step, place.rank, place.world)
        while self.step < self.settings.steps:
            started = time.monotonic()
            batch = next(data).to(place.device)
            self.model.train()
            loss = self._loss(batch, self.settings.smoothing)
            loss.backward()
            self._reduce(self.weights.collect())
            rate = self.learning_rate()
            norm = self.weights.step(rate, self.settings.clip)
            self.step += 1
            elapsed = time.monotonic() - started
            self.seconds += elapsed
            tokens = int((batch.target[:, 1:] != self.settings.config.pad_id).sum())
            yield Progress(self.step, loss.item(), rate, norm, tokens * place.world, elapsed)

    def learning_rate(self) -> float:
        """Return the rate of the coming step."""
        s = self.settings
        return learning_rate(self.step, s.peak, s.warmup, s.decay, s.steps)

    def _loss(self, batch: Batch, smoothing: float) -> Tensor:
        # A generated sentence leaves its words' embeddings as they are. Real sentences teach what
        # a word means; else each adjective would learn by heart which noun it speaks of.
        rows = batch.generated[:, None, None]  # B 1 1
        tap = Editor({"encoder.embedding": lambda x: torch.where(rows, x.detach(), x)})
        logits = self.model(batch.source, batch.target[:, :-1], tap)  # B T V
        targets = batch.target[:, 1:].flatten()
        pad_id = self.settings.config.pad_id
        return smoothed_cross_entropy(logits.flatten(0, 1), targets, smoothing, pad_id)

    def _reduce(self, gradients: Tensor) -> None:
        """Average the gradients of all processes, in place."""
        if self.place.world > 1:
            dist.all_reduce(gradients)
            gradients /= self.place.world

    @torch.no_grad()
    def evaluate(self, batches: BatchMaker) -> float:
        """Return the loss on other pairs, in nats a piece, without smoothing or dropout."""
        self.model.eval()
        total, pieces = 0.0, 0
        for pairs in batches.epoch(0):
            batch = batches.collate(pairs).to(self.place.device)
            count = int((batch.target[:, 1:] != self.settings.config.pad_id).sum())
            total += self._loss(batch, 0.0).item() * count
            pieces += count
        return total / pieces if pieces else math.nan

    def log(self, **values: object) -> None:
        """Append one JSON line."""
        with self.log_path.open("a", encoding="utf-8") as log:
            log.write(json.dumps(values, default=str) + "\n")

    def save(self) -> None:
        """Write state.pt whole or not at all. Call it on every process: the first one writes."""
        random = self._gather(torch.get_rng_state())
        cuda = self.place.device.type == "cuda"
        state = {
            "step": self.step,
            "seconds": self.seconds,
            "random": random,
            "cuda": self._gather(torch.cuda.get_rng_state(self.place.device)) if cuda else None,
            **self.weights.state_dict(),
        }
        if not self.place.rank:
            content = io.BytesIO()
            torch.save(state, content)
            write_whole(self.state_path, content.getvalue())

    def _gather(self, mine: Tensor) -> Tensor:
        """Collect a tensor (N,) of every process: (processes, N)."""
        all_of_them = [mine] * self.place.world
        if self.place.world > 1:
            dist.all_gather_object(all_of_them, mine)
        return torch.stack(all_of_them)

    def resume(self) -> bool:
        """Take up the saved state, if there is one; ValueError when it is not of this run.

        What the log says of later steps is dropped: they are trained again.
        """
        if not self.state_path.exists():
            return False
        try:
            state = torch.load(self.state_path, map_location="cpu", weights_only=True)
            self.weights.load_state_dict(state)
            random = torch.atleast_2d(state["random"])  # older states have one process's alone
            if len(random) != self.place.world:
                raise ValueError(f"saved by {len(random)} processes, not {self.place.world}")
        except (RuntimeError, KeyError, ValueError, EOFError, UnpicklingError) as error:
            raise ValueError(f"{self.state_path}: not a state of this run ({error})") from error
        self.step, self.seconds = state["step"], state["seconds"]
        torch.set_rng_state(random[self.place.rank].clone())  # of a view, torch crashes
        if state["cuda"] is not None:
            cuda = torch.atleast_2d(state["cuda"])
            torch.cuda.set_rng_state(cuda[self.place.rank].clone(), self.place.device)
        if not self.place.rank:
            self._rewind_log()
        return True

    def _rewind_log(self) -> None:
        """Drop the lines of later steps, and one that was cut off."""
        if not self.log_path.exists():
            return
        lines = self.log_path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.endswith("\n") and self._is_past(line)]
        write_whole(self.log_path, "".join(kept).encode())

    def _is_past(self, line: str) -> bool:
        return json.loads(line)["step"] <= self.step

    @property
    def state_path(self) -> Path:
        """Where the run keeps its state."""
        return self.folder / "state.pt"

    @property
    def log_path(self) -> Path:
        """Where the run keeps its log."""
        return self.folder / "log.jsonl"
