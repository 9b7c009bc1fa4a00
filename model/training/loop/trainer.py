"""The training loop: steps, log, saved state."""

import io
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from pickle import UnpicklingError

import torch
import torch.distributed as dist
from torch import Tensor
from torch.utils.data import DataLoader

from model.checkpoints.checkpoint import write_whole
from model.families import build
from model.learning.master_weights import MasterWeights
from model.learning.schedule import learning_rate
from model.training.data.batches import Batch
from model.training.data.stream import Feed, Position
from model.training.loop.start import reset_feed_forward
from model.training.losses.objectives import Losses, Objective
from model.training.losses.side import SideHeads
from model.training.settings import ALONE, TrainingSettings

AHEAD = 8
"""Batches that every worker prepares in advance: a new round takes a second or two."""

WARM_AGAIN = 50
"""Steps over which the rate rises again after resuming from a state without optimizers."""


@dataclass(frozen=True)
class Process:
    """A process of a run: its device, its number and the number of processes."""

    device: torch.device
    dtype: torch.dtype
    rank: int = 0
    world: int = 1
    workers: int = 0  # processes that prepare batches; 0: this process does


@dataclass(frozen=True)
class Progress:
    """One step's figures; `tokens` counts target pieces, or the guesses of the encoder alone."""

    step: int
    losses: Losses
    learning_rate: float
    gradient_norm: float
    tokens: int
    seconds: float


class Trainer:
    """A run that can be stopped at any step and resumed, on a CPU bit for bit.

    (CUDA adds some gradients in its own order.) `folder` receives state.pt (weights, optimizers,
    random state, step) and log.jsonl.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        feed: Feed,
        folder: Path,
        place: Process,
        embedding: Tensor | None = None,
    ) -> None:
        """Create a model with seeded weights, the same on every process.

        The embedding (V, D) starts as given, else from random numbers.
        """
        self.settings, self.feed, self.folder, self.place = settings, feed, folder, place
        torch.manual_seed(settings.seed)
        self.model = build(settings.config, settings.dropout)
        reset_feed_forward(self.model, settings.feed_forward_gain)
        self.objective = Objective(self.model, SideHeads(settings.config), settings)
        self.objective.to(place.device)
        if embedding is not None:
            self.model.embedding.weight.data.copy_(embedding)
        self.weights = MasterWeights(
            self.model,
            place.dtype,
            settings.peak,
            settings.weight_decay,
            settings.embedding_rate,
            side=self.objective.side,
            muon=bool(settings.muon),
        )
        self._rest()
        torch.manual_seed(settings.seed + 1 + place.rank)
        self.step, self.seconds, self.warm_from = 0, 0.0, -WARM_AGAIN
        self.positions = (Position(), Position())
        folder.mkdir(parents=True, exist_ok=True)

    def _rest(self) -> None:
        """Compute no gradient for parameters whose learning rate is always zero."""
        s = self.settings
        for name, parameter in self.model.named_parameters():
            rate = s.embedding_rate if "embedding" in name else s.encoder_rate
            learns = name.startswith("decoder.") or (s.pretrain and name.startswith("encoder."))
            parameter.requires_grad_(bool(learns or rate))

    def run(self, until: int | None = None) -> Iterator[Progress]:
        """Train to step `until` (None: to the last step), yielding the figures of every step."""
        last = self.settings.steps if until is None else min(until, self.settings.steps)
        self.feed.go_on(self.step, self.positions)
        generator = torch.Generator()  # the loader must not draw from dropout's random state
        workers = self.place.workers
        ahead = AHEAD if workers else None
        passes = iter(
            DataLoader(
                self.feed, None, num_workers=workers, generator=generator, prefetch_factor=ahead
            )
        )
        while self.step < last:
            started = time.monotonic()
            self.model.train()
            pass_losses, tokens = [], 0
            for _ in range(self.settings.accumulate):
                examples = next(passes)
                loss, losses = self.objective(examples.to(self.place.device), self.phase)
                (loss / self.settings.accumulate).backward()
                pass_losses.append(losses)
                tokens += examples.tokens(self.settings.config.pad_id)
                self.positions = examples.positions
            self._reduce(self.weights.collect())
            rate = self.learning_rate()
            norm = self.weights.step(rate, self.settings.clip, self.encoder_rate())
            losses = Losses.mean(pass_losses)  # only now: reading the losses waits for the GPU
            self.step += 1
            elapsed = time.monotonic() - started
            self.seconds += elapsed
            tokens *= self.place.world
            yield Progress(self.step, losses, rate, float(norm), tokens, elapsed)

    @property
    def phase(self) -> int:
        """Return the phase of the coming step."""
        return self.settings.phase(self.step)

    def learning_rate(self) -> float:
        """Return the rate of the coming step; it rises again when translation begins."""
        s = self.settings
        if self.phase == ALONE:
            rate = learning_rate(self.step, s.peak, s.warmup, 0, s.pretrain)
        else:
            translating = s.steps - s.pretrain
            rate = learning_rate(self.step - s.pretrain, s.peak, s.warmup, s.decay, translating)
        return rate * min(1.0, (self.step - self.warm_from + 1) / WARM_AGAIN)

    def encoder_rate(self) -> float:
        """Return the factor on the encoder's rate in the coming step."""
        return 1.0 if self.phase == ALONE else self.settings.encoder_rate

    def _reduce(self, gradients: Tensor) -> None:
        """Average the gradients of all processes, in place."""
        if self.place.world > 1:
            dist.all_reduce(gradients)
            gradients /= self.place.world

    def evaluate(self, batches: Iterable[Batch]) -> float:
        """Return the loss on these pairs, in nats a piece, without smoothing or dropout."""
        return self.objective.measure(batch.to(self.place.device) for batch in batches)

    def log(self, **values: object) -> None:
        """Append one JSON line."""
        with self.log_path.open("a", encoding="utf-8") as log:
            log.write(json.dumps(values, default=str) + "\n")

    def save(self) -> None:
        """Write state.pt, whole or not at all. Every process calls this; the first one writes."""
        random = self._gather(torch.get_rng_state())
        cuda = self.place.device.type == "cuda"
        state = {
            "step": self.step,
            "seconds": self.seconds,
            "warm_from": self.warm_from,
            "positions": [asdict(position) for position in self.positions],
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
        """Restore the saved state, if any; ValueError when it belongs to another run.

        Log lines of later steps are dropped, as these steps are trained again.
        """
        if not self.state_path.exists():
            return False
        try:
            state = torch.load(self.state_path, map_location="cpu", weights_only=True)
            self.weights.load_state_dict(state)
            random = state["random"]
            if len(random) != self.place.world:
                raise ValueError(f"saved by {len(random)} processes, not {self.place.world}")
            first, second = (Position(**fields) for fields in state["positions"])
        except (RuntimeError, KeyError, TypeError, ValueError, EOFError, UnpicklingError) as error:
            raise ValueError(f"{self.state_path}: not a state of this run ({error})") from error
        self.step, self.seconds = state["step"], state["seconds"]
        self.positions = (first, second)
        self.warm_from = state["warm_from"] if state["optimizers"] else self.step
        torch.set_rng_state(random[self.place.rank].clone())  # torch crashes with a view
        if state["cuda"] is not None and self.place.device.type == "cuda":
            cuda = state["cuda"][self.place.rank].clone()
            torch.cuda.set_rng_state(cuda, self.place.device)
        if not self.place.rank:
            self._rewind_log()
        return True

    def _rewind_log(self) -> None:
        """Drop the lines of later steps, and an incomplete last line."""
        if not self.log_path.exists():
            return
        lines = self.log_path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.endswith("\n") and self._is_past(line)]
        write_whole(self.log_path, "".join(kept).encode())

    def _is_past(self, line: str) -> bool:
        return json.loads(line)["step"] <= self.step

    @property
    def state_path(self) -> Path:
        """Return the path of the run's state."""
        return self.folder / "state.pt"

    @property
    def log_path(self) -> Path:
        """Return the path of the run's log."""
        return self.folder / "log.jsonl"
