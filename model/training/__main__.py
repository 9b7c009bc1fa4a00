"""Train a checkpoint: `python -m model.training --train PAIRS.tsv.gz --dev PAIRS.tsv.gz`."""

import argparse
import os
import platform
import random
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor
from tqdm import tqdm

from model.checkpoints.checkpoint import (
    embedding_checksum,
    load_checkpoint,
    save_checkpoint,
    shared_embedding,
    words_folder,
)
from model.command import command
from model.families import transformer
from model.learning.muon import quick_precision
from model.recording.history import CUTS
from model.recurrent.config import RecurrentConfig
from model.training.data.batches import Batch
from model.training.data.known_sentences import known_sentences
from model.training.evaluate import evaluate
from model.training.generated.coreference import held_out_known_frames
from model.training.loop.averaging import average
from model.training.loop.beside import Beside
from model.training.loop.moments import EVERY, Moments
from model.training.loop.new_rows import longer_embedding
from model.training.loop.prepare import (
    Corpus,
    Encoded,
    dev_batches,
    make_feed,
    prepare,
    read_corpus,
    start_vectors,
)
from model.training.loop.start import rows_for
from model.training.loop.trainer import Process, Progress, Trainer
from model.training.loop.vitals import PRONOUNS, SAMPLE, Watch
from model.training.losses.objectives import Losses
from model.training.options import parse, read_settings, training_file


def find_place(workers: int) -> Process:
    """Choose CUDA or CPU, bfloat16 where it is fast, and join torchrun's processes."""
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    cuda = torch.cuda.is_available()
    device = torch.device("cpu")
    if cuda:
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if cuda else "gloo")
    precision = torch.bfloat16 if cuda else quick_precision()
    return Process(device, precision, rank, world, workers)


@dataclass(frozen=True)
class Run:
    """A run, and the data by which it is measured."""

    options: argparse.Namespace
    trainer: Trainer
    encoded: Encoded
    dev: list[Batch]
    watch: Watch | None
    moments: Moments | None
    beside: Beside = field(default_factory=Beside)

    def report(self, progress: Progress, losses: list[Losses]) -> None:
        """Write the mean losses since the last line of the log."""
        self.trainer.log(
            step=progress.step,
            **Losses.mean(losses).named(),
            learning_rate=progress.learning_rate,
            gradient_norm=round(progress.gradient_norm, 3),
            tokens_per_second=round(progress.tokens / progress.seconds),
            seconds=round(self.trainer.seconds, 1),
        )

    def look(self) -> None:
        """Write a Transformer's signs of life into the log."""
        if self.watch is None:
            return
        vitals = self.watch.measure(transformer(self.trainer.model))
        self.trainer.log(step=self.trainer.step, vitals=vitals.to_dict())
        if self.moments and self.trainer.settings.ever_teaches_causes:
            model = transformer(self.trainer.model).eval()
            measured = self.moments.cuts(model).astype(float).round(3).tolist()
            names = "cuts", "either", "sure", "wrong"
            rows = [dict(zip(CUTS, row, strict=True)) for row in measured]
            self.trainer.log(step=self.trainer.step, **dict(zip(names, rows, strict=True)))

    def remember(self) -> None:
        """Record the known sentences with this step's weights, beside the run when a GPU trains."""
        trainer = self.trainer
        if self.moments is None:
            return
        weights = {name: tensor.cpu() for name, tensor in trainer.weights.weights().items()}
        loss = trainer.evaluate(self.dev[::EVERY])
        if trainer.place.device.type == "cuda":
            self.beside.start(self.moments.add_weights, weights, trainer.step, loss)
        else:
            self.moments.add_weights(weights, trainer.step, loss)

    def keep(self) -> None:
        """Save the state, measure on the dev pairs and write the checkpoint folder.

        The dev loss is that of this step's weights. The folder holds the mean of the last weights.
        """
        trainer, options = self.trainer, self.options
        trainer.save()
        if trainer.place.rank:
            return
        loss, bleu = trainer.evaluate(self.dev), None
        if options.bleu and trainer.step >= trainer.settings.pretrain:
            model, tokenizer = trainer.model.eval(), self.encoded.tokenizer
            bleu = evaluate(model, tokenizer, options.dev, limit=options.bleu)[0].bleu
        trainer.log(step=trainer.step, dev_loss=round(loss, 4), dev_bleu=bleu)
        tqdm.write(f"step {trainer.step}: dev loss {loss:.3f}, BLEU {bleu} ({options.bleu} pairs)")
        if options.out:
            self._write()

    def _write(self) -> None:
        trainer, options = self.trainer, self.options
        settings, step = trainer.settings, trainer.step
        card = {
            "name": options.out.name,
            "data": {
                "train": " ".join(training_file(argument).path.name for argument in options.train),
                "text": " ".join(path.name for path in options.text),
                "dev": options.dev.name,
            },
            "settings": settings.to_dict(),
            "steps": step,
            "hours": round(trainer.seconds / 3600, 2),
            "machine": f"{os.cpu_count()} cores ({platform.machine()}), "
            f"{trainer.place.world} processes, {trainer.place.device.type}",
        }
        if options.start:
            begun = load_checkpoint(options.start).card
            steps = begun.get("steps", 0) + begun.get("start", {}).get("steps", 0)  # of every run
            card["start"] = {"name": Path(options.start).name, "steps": steps} | {
                key: begun[key] for key in ("sha256",) if key in begun
            }
        if words := words_folder(settings.config):
            card["embedding_sha256"] = embedding_checksum(shared_embedding(words))
        weights = average(options.run, step, trainer.weights.weights(), settings.average)
        save_checkpoint(options.out, settings.config, weights, self.encoded.tokenizer, card)
        if self.moments:
            self.moments.write(options.out)


def begin(options: argparse.Namespace, process: Process) -> Run:
    """Read the data and make the trainer, with its saved state if the run is resumed."""
    settings = read_settings(options)
    files = [training_file(argument).path for argument in options.train]
    corpus = read_corpus(files, options.text, options.dev)
    encoded = prepare(corpus, options.run, settings, process, options.resume, options.pieces)
    size = len(encoded.tokenizer)
    settings = replace(settings, config=replace(settings.config, vocab_size=size))
    vectors = start_vectors(encoded, options.run, settings, process)
    feed = make_feed(encoded, settings, process)
    trainer = Trainer(settings, feed, options.run, process, vectors)
    if options.start:
        trainer.weights.start_from(_weights_of(options.start, encoded, vectors))
    if options.resume:
        trainer.resume()
    if not process.rank:
        trainer.log(
            step=trainer.step,
            settings=settings.to_dict(),
            pairs=[len(file) for file in encoded.files],
            sentences=len(encoded.text),
            processes=process.world,
        )
    dev = dev_batches(encoded.tokenizer, encoded.dev, settings)
    if isinstance(settings.config, RecurrentConfig):
        return Run(options, trainer, encoded, dev, None, None)
    watch = sample(corpus, encoded)
    if settings.look_ahead:  # a history is recorded with the look-ahead mask
        return Run(options, trainer, encoded, dev, watch, None)
    sentences = known_sentences(corpus.dev)
    moments = Moments(options.run / "history", encoded.tokenizer, settings, sentences)
    if not process.rank:
        moments.rewind(trainer.step if trainer.step else -1)
    return Run(options, trainer, encoded, dev, watch, moments)


def _weights_of(name: str, encoded: Encoded, vectors: Tensor) -> dict[str, Tensor]:
    """Return the weights of a checkpoint, with the embedding adapted to the pieces of this run."""
    start = load_checkpoint(name)
    weights = dict(start.model.state_dict())
    tokenizers = start.tokenizer, encoded.tokenizer
    old_pieces, new_pieces = (
        tokenizer.tokens(list(range(len(tokenizer)))) for tokenizer in tokenizers
    )
    if old_pieces == new_pieces or "embedding.weight" not in weights:
        return weights
    rows = weights["embedding.weight"]
    if new_pieces[: len(old_pieces)] == old_pieces:
        weights["embedding.weight"] = longer_embedding(*tokenizers, rows)
    else:
        weights["embedding.weight"] = rows_for(new_pieces, vectors, old_pieces, rows)
    return weights


def sample(corpus: Corpus, encoded: Encoded) -> Watch:
    """Choose the dev pairs and the held-out pronoun sentences to watch the run with."""
    choose = random.Random(0)
    pronouns = held_out_known_frames()
    return Watch(
        encoded.tokenizer,
        choose.sample(corpus.dev, min(SAMPLE, len(corpus.dev))),
        choose.sample(pronouns, PRONOUNS),
    )


def train(options: argparse.Namespace) -> None:
    """Train to the last step, or as far as time allows, saving at intervals."""
    process, started = find_place(options.workers), time.monotonic()
    if options.threads:
        torch.set_num_threads(options.threads)
    run = begin(options, process)
    trainer, steps = run.trainer, run.trainer.settings.steps
    until = min(steps, options.until or steps)
    if trainer.step >= until:
        run.keep()  # the run may have stopped before everything was written
    elif trainer.step == 0 and not process.rank:
        run.look()
        run.remember()
    losses: list[Losses] = []
    with tqdm(total=steps, initial=trainer.step, disable=bool(process.rank), mininterval=5) as bar:
        for progress in trainer.run(until):
            step = progress.step
            late = bool(options.minutes) and time.monotonic() - started > 60 * options.minutes
            saved = step % options.save_every == 0 or step == until or late
            losses.append(progress.losses)
            speed = progress.tokens / progress.seconds
            bar.set_postfix(loss=f"{progress.losses.loss:.3f}", tokens_s=f"{speed:.0f}")
            bar.update()
            if not process.rank and (saved or step % 20 == 0):
                run.report(progress, losses)
                losses.clear()
            if not process.rank and (saved or step & (step - 1) == 0):
                run.look()
            if not process.rank and run.moments and run.moments.due(step):
                run.remember()
            if saved:
                run.keep()
            if late:
                break
    if run.beside.finish() and run.moments and options.out:
        run.moments.write(options.out)
    if process.world > 1:
        dist.destroy_process_group()


@command
def main() -> None:
    """Train as the command line says; an error in it is reported in one line."""
    train(parse())


if __name__ == "__main__":
    sys.exit(main())
