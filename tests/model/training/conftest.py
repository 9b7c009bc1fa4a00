"""A tiny corpus and trainers that take a step in a few milliseconds."""

import gzip
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model.tokenizer import Tokenizer
from model.training import __main__ as command
from model.training.data.batches import Batch, BatchMaker
from model.training.data.minimal import MinimalPairs
from model.training.data.pairs import EncodedPair, Pair, encode_pairs
from model.training.data.stream import Feed, Files, Stream
from model.training.loop.trainer import Process, Trainer
from model.training.settings import TrainingSettings
from model.transformer.config import ModelConfig

MakeTrainer = Callable[..., Trainer]
Train = Callable[..., int]


def collate(trainer: Trainer, *pairs: EncodedPair) -> Batch:
    return trainer.feed.pairs.maker.collate(list(pairs))


def make_feed(
    pairs: list[EncodedPair],
    tokenizer: Tokenizer,
    settings: TrainingSettings,
    minimal: MinimalPairs | None = None,
) -> Feed:
    """Stream one file of pairs, and their sources as text."""
    maker = BatchMaker(tokenizer, settings)
    text = [EncodedPair(pair.source, []) for pair in pairs]
    first, second = (
        Stream(maker, Files([some], 0), ((1.0,),), lambda _: settings.tokens)
        for some in (pairs, text)
    )
    return Feed(settings, first, second, minimal)


@pytest.fixture(scope="session")
def settings(config: ModelConfig) -> TrainingSettings:
    smaller = replace(config, d_model=32, heads=2, encoder_layers=1, decoder_layers=1, d_ff=48)
    return TrainingSettings(
        smaller,
        steps=12,
        pretrain=0,
        tokens=200,
        side_tokens=200,
        peak=1e-2,
        warmup=3,
        decay=4,
        generated=(0,),
        phrases=(0,),
        visitors=(0,),
        exchanged=(0,),
        typed=(0,),
        unmarked=(0,),
        blanked=(0,),
        masked=(0,),
        gender=(0,),
        naming=(0,),
        neighbours=(0,),
        alive=(0,),
        encoder_rate=1.0,
        feed_forward_gain=0.0,
    )


@pytest.fixture(scope="session")
def encoded(pairs: list[Pair], tokenizer: Tokenizer) -> list[EncodedPair]:
    return encode_pairs(pairs, tokenizer, longest=64)


@pytest.fixture
def make_trainer(
    settings: TrainingSettings, encoded: list[EncodedPair], tokenizer: Tokenizer
) -> MakeTrainer:
    """Build a trainer in a folder; keywords change its settings."""

    def make(folder: Path, dtype: torch.dtype = torch.float32, **changes: float) -> Trainer:
        changed = replace(settings, **changes)  # pyrefly: ignore[bad-argument-type]
        feed = make_feed(encoded, tokenizer, changed)
        return Trainer(changed, feed, folder, Process(torch.device("cpu"), dtype))

    return make


@pytest.fixture(scope="session")
def corpus(pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train.tsv.gz and dev.tsv."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = [f"{pair.source}\t{pair.target}\n" for pair in pairs]
    with gzip.open(folder / "train.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(lines)
    (folder / "dev.tsv").write_text("".join(lines[::4]), encoding="utf-8")
    return folder


SIZES = {
    "vocab-size": 340,
    "d-model": 32,
    "heads": 2,
    "d-ff": 48,
    "encoder-layers": 1,
    "decoder-layers": 1,
    "max-length": 64,
    "tokens": 200,
    "side-tokens": 200,
    "pretrain": 0,
    "warmup": 3,
    "decay": 4,
    "generated": 0,
    "phrases": 0,
    "visitors": 0,
    "exchanged": 0,
    "typed": 0,
    "unmarked": 0,
    "masked": 0,
    "blanked": 0.1,
    "threads": 1,
}


def arguments(corpus: Path, folder: Path, *more: str) -> list[str]:
    data = [f"--train={corpus / 'train.tsv.gz'}", f"--dev={corpus / 'dev.tsv'}"]
    sizes = [f"--{name}={size}" for name, size in SIZES.items()]
    return [*data, f"--run-folder={folder / 'run'}", f"--out={folder / 'tiny'}", *sizes, *more]


@pytest.fixture
def train(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Train:
    """Train in this process, with a command line."""

    def run(folder: Path, *more: str) -> int:
        monkeypatch.setattr(sys, "argv", ["training", *arguments(corpus, folder, *more)])
        return command.main()

    return run
