"""Train a checkpoint: `python -m model.training --train PAIRS.tsv.gz --dev PAIRS.tsv.gz`."""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from tqdm import tqdm

from model.checkpoints.checkpoint import (
    TOKENIZER,
    embedding_checksum,
    load_checkpoint,
    save_checkpoint,
    shared_embedding,
    words_folder,
    write_whole,
)
from model.families import Config
from model.recurrent.config import ATTENDING, RecurrentConfig
from model.tokenizer import Tokenizer
from model.training.averaging import average, forget
from model.training.data import (
    NO_TRANSLATIONS,
    BatchMaker,
    EncodedPair,
    Pair,
    encode_pairs,
    learn_tokenizer,
    read_pairs,
)
from model.training.evaluate import evaluate
from model.training.generated.coreference import training_pairs
from model.training.generated.phrases import phrase_pairs
from model.training.settings import SHARES, TrainingSettings, in_epoch
from model.training.trainer import Place, Progress, Trainer
from model.training.vectors import count_vectors
from model.transformer.config import ModelConfig

SPELT = 3000  # generated pairs that the pieces are learned from too: a fiftieth


def parse() -> argparse.Namespace:
    """Read the command line; sizes and settings default to those of the shipped checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m model.training", description=__doc__)
    parser.add_argument("--train", type=Path, required=True, help="TSV of sentence pairs (.gz)")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of other pairs")
    # Not "--run", which torchrun takes for an option of its own; alone, that much of it will do.
    parser.add_argument(
        "--run-folder", type=Path, default=Path("runs/en-fr"), dest="run", help="state and log"
    )
    parser.add_argument("--out", type=Path, help="checkpoint folder to write, e.g. checkpoints/x")
    parser.add_argument("--resume", action="store_true", help="go on where the run stopped")
    parser.add_argument("--save-every", type=int, default=500, metavar="STEPS")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are cores")
    parser.add_argument(
        "--kind",
        choices=(ModelConfig.kind, *ATTENDING),
        default=ModelConfig.kind,
        help="a Transformer, or a recurrent model by how it attends",
    )
    parser.add_argument(
        "--embedding", default="en-fr", help="whose pieces and embedding a recurrent model uses"
    )
    parser.add_argument(
        "--start", metavar="NAME", help="a checkpoint that gives the weights that fit"
    )
    sizes = RecurrentConfig().to_dict() | ModelConfig().to_dict()
    for name, default in (TrainingSettings().to_dict() | sizes).items():
        flag = "--" + name.replace("_", "-")
        if isinstance(default, tuple):
            parser.add_argument(flag, type=float, nargs="+", default=default)
        elif isinstance(default, int | float) and not name.endswith("_id"):
            parser.add_argument(flag, type=type(default), default=default, dest=name)
    return parser.parse_args()


def read_settings(options: argparse.Namespace) -> TrainingSettings:
    """Gather the settings from the command line."""
    config = read_config_options(options)
    given: dict[str, Any] = {name: getattr(options, name) for name in _settable(TrainingSettings())}
    given |= {name: tuple(getattr(options, name)) for name in SHARES}
    return TrainingSettings(config=config, **given)


def read_config_options(options: argparse.Namespace) -> Config:
    """Gather the sizes of the kind of model that the command line asks for."""
    if options.kind == ModelConfig.kind:
        return ModelConfig(**{name: getattr(options, name) for name in _settable(ModelConfig())})
    sizes = {name: getattr(options, name) for name in _settable(RecurrentConfig())}
    return RecurrentConfig(kind=options.kind, embedding=options.embedding, **sizes)


def _settable(defaults: Config | TrainingSettings) -> list[str]:
    return [
        name
        for name, value in defaults.to_dict().items()
        if isinstance(value, int | float) and not name.endswith("_id")
    ]


def find_place() -> Place:
    """Choose CUDA or CPU, bfloat16 where it is fast, and join torchrun's processes."""
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    cuda = torch.cuda.is_available()
    device = torch.device("cpu")
    if cuda:
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if cuda else "gloo")
    fast = cuda or torch.cpu.get_capabilities().get("avx512_bf16", False)
    return Place(device, torch.bfloat16 if fast else torch.float32, rank, world)


def prepare(
    options: argparse.Namespace, settings: TrainingSettings, place: Place
) -> tuple[Tokenizer, list[EncodedPair], list[EncodedPair]]:
    """Read the pairs, learn the pieces once per run, encode everything."""
    pairs = [pair for pair in read_pairs(options.train) if pair not in NO_TRANSLATIONS]
    dev = read_pairs(options.dev)
    path = options.run / "tokenizer.model"
    if not place.rank and not (options.resume and path.exists()):
        options.run.mkdir(parents=True, exist_ok=True)
        forget(options.run)
        write_whole(path, find_tokenizer(pairs, settings).serialized)
    if place.world > 1:
        dist.barrier()
    tokenizer = Tokenizer.from_file(path)
    encoded, encoded_dev = (
        encode_pairs(some, tokenizer, settings.longest) for some in (pairs, dev)
    )
    return tokenizer, encoded, encoded_dev


def find_tokenizer(pairs: list[Pair], settings: TrainingSettings) -> Tokenizer:
    """Learn the pieces, or take those of the checkpoint whose embedding the model uses."""
    if words := words_folder(settings.config):
        return Tokenizer.from_file(words / TOKENIZER)
    some = [Pair(pair.source, pair.target) for pair in training_pairs(SPELT, settings.seed)]
    return learn_tokenizer(pairs + some, settings.config.vocab_size)


def generator(
    count: int, tokenizer: Tokenizer, settings: TrainingSettings
) -> Callable[[int], list[EncodedPair]]:
    """Return what gives an epoch its generated pairs, new ones each time, beside `count` others.

    A model that meets the same ones again and again learns them by heart.
    """

    def generated(epoch: int) -> list[EncodedPair]:
        shares = [in_epoch(some, epoch) for some in (settings.generated, settings.phrases)]
        pronouns, phrases = (int(count * share / (1 - sum(shares))) for share in shares)
        seed = settings.seed + epoch
        pairs = [Pair(pair.source, pair.target) for pair in training_pairs(pronouns, seed)]
        encoded = encode_pairs(pairs + phrase_pairs(phrases, seed), tokenizer, settings.longest)
        return [replace(pair, generated=True) for pair in encoded]

    return generated


def report(
    trainer: Trainer, bar: tqdm, progress: Progress, losses: list[float], logged: bool
) -> None:
    """Show the step in the bar and, when `logged`, write the mean loss since the last time."""
    losses.append(progress.loss)
    speed = progress.tokens / progress.seconds
    bar.set_postfix(loss=f"{progress.loss:.3f}", tokens_s=f"{speed:.0f}", refresh=False)
    bar.update()
    if logged:
        trainer.log(
            step=progress.step,
            loss=round(sum(losses) / len(losses), 4),
            learning_rate=progress.learning_rate,
            gradient_norm=round(progress.gradient_norm, 3),
            tokens_per_second=round(speed),
            seconds=round(trainer.seconds, 1),
        )
        losses.clear()


def keep(
    trainer: Trainer, options: argparse.Namespace, tokenizer: Tokenizer, dev: BatchMaker
) -> None:
    """Save the state, measure on the dev pairs and write the checkpoint folder.

    The dev pairs measure the weights of this step, the folder holds the mean of the last ones.
    """
    trainer.save()
    if trainer.place.rank:
        return
    loss = trainer.evaluate(dev)
    measured = evaluate(trainer.model.eval(), tokenizer, options.dev, limit=500)[0]
    trainer.log(step=trainer.step, dev_loss=round(loss, 4), dev_bleu=measured.bleu)
    tqdm.write(f"step {trainer.step}: dev loss {loss:.3f}, BLEU {measured.bleu:.1f} (500 pairs)")
    if options.out:
        card = {
            "name": options.out.name,
            "data": {"train": options.train.name, "dev": options.dev.name},
            "settings": trainer.settings.to_dict(),
            "steps": trainer.step,
            "hours": round(trainer.seconds / 3600, 2),
            "machine": f"{os.cpu_count()} cores ({platform.machine()}), "
            f"{trainer.place.world} processes, {trainer.place.device.type}",
        }
        if words := words_folder(trainer.settings.config):
            card["embedding_sha256"] = embedding_checksum(shared_embedding(words))
        weights = average(
            options.run, trainer.step, trainer.weights.weights(), trainer.settings.average
        )
        save_checkpoint(options.out, trainer.settings.config, weights, tokenizer, card)


def train(options: argparse.Namespace) -> None:
    """Train to the last step, saving on the way."""
    settings, place = read_settings(options), find_place()
    if options.threads:
        torch.set_num_threads(options.threads)
    tokenizer, pairs, dev_pairs = prepare(options, settings, place)
    settings = replace(settings, config=replace(settings.config, vocab_size=len(tokenizer)))
    batches = BatchMaker(pairs, tokenizer, settings, generator(len(pairs), tokenizer, settings))
    dev = BatchMaker(dev_pairs, tokenizer, replace(settings, join=0.0, unmarked=(0,)))
    config = settings.config
    if words := words_folder(config):
        embedding = shared_embedding(words)
    else:
        embedding = count_vectors(pairs, config.vocab_size, config.d_model, settings.seed)
    trainer = Trainer(settings, batches, options.run, place, embedding)
    if options.start:
        trainer.weights.start_from(load_checkpoint(options.start).model.state_dict())
    if options.resume and trainer.resume() and trainer.step >= settings.steps:
        keep(trainer, options, tokenizer, dev)  # it may have stopped before all was written
    if not place.rank:
        trainer.log(
            step=trainer.step,
            settings=settings.to_dict(),
            pairs=len(pairs),
            processes=place.world,
        )
    with tqdm(
        total=settings.steps, initial=trainer.step, disable=bool(place.rank), mininterval=5
    ) as bar:
        losses: list[float] = []
        for progress in trainer.run():
            saved = progress.step % options.save_every == 0 or progress.step == settings.steps
            if not place.rank:
                report(trainer, bar, progress, losses, logged=saved or progress.step % 20 == 0)
            if saved:
                keep(trainer, options, tokenizer, dev)
    if place.world > 1:
        dist.destroy_process_group()


def main() -> int:
    """Train as the command line says; what is wrong with it is one line."""
    try:
        train(parse())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
