"""Two processes under torchrun, joined by gloo, against one process doing the same by hand."""

import argparse
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.distributed.run import get_args_parser

from model.learning.cross_entropy import smoothed_cross_entropy
from model.learning.schedule import learning_rate
from model.tokenizer import Tokenizer
from model.training.data.batches import BatchMaker
from model.training.data.pairs import EncodedPair, Pair, encode_pairs
from model.training.data.stream import Feed, Files, Stream
from model.training.data.vectors import count_vectors
from model.training.loop.trainer import Process, Trainer
from model.training.options import parse
from model.training.settings import TrainingSettings

ROOT = Path(__file__).parent.parent.parent.parent
STEPS = 6

# The command itself, with each process also keeping what it ends with.
WORKER = """
import sys
import torch
from model.training import __main__ as command
from model.training.loop.trainer import Trainer

save = Trainer.save

def save_and_keep(trainer):
    save(trainer)
    torch.save(trainer.weights.weights(), trainer.folder / f"weights.{trainer.place.rank}.pt")

Trainer.save = save_and_keep
sys.exit(command.main())
"""


def torchrun(folder: Path, arguments: list[str]) -> None:
    script = folder / "worker.py"
    script.write_text(WORKER)
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    subprocess.run(
        [sys.executable, *launcher, str(script), *arguments],
        cwd=ROOT,
        env=environment | {"CUDA_VISIBLE_DEVICES": ""},
        check=True,
        timeout=300,
    )


def feeds(pairs: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings) -> list[Feed]:
    """What each of the two processes is fed."""
    maker = BatchMaker(tokenizer, settings)
    return [
        Feed(settings, Stream(maker, Files([pairs], 0), ((1.0,),), tokens, rank=r, world=2), None)
        for r, tokens in enumerate([lambda _: settings.tokens] * 2)
    ]


def by_hand(
    settings: TrainingSettings, data: list[Feed], place: Process, folder: Path
) -> dict[str, Tensor]:
    """Train on both processes' batches in this one: the mean of the two mean gradients."""
    threads, config = torch.get_num_threads(), settings.config
    torch.set_num_threads(1)  # as each process has: more would round otherwise
    pairs = data[0].pairs.files.files[0]
    embedding = count_vectors(pairs, config.vocab_size, config.d_model, settings.seed)
    torch.set_num_threads(threads)
    trainer = Trainer(settings, data[0], folder, place, embedding.half().float())
    examples = list(zip(*data, strict=True))
    trainer.model.train()
    for step in range(STEPS):
        gradients = []
        for each in examples[step]:
            batch = each.pairs
            assert batch is not None
            logits = trainer.model(batch.source, batch.target[:, :-1]).flatten(0, 1)
            targets = batch.target[:, 1:].flatten()
            smoothed_cross_entropy(logits, targets, settings.smoothing, ignored=0).backward()
            gradients.append(trainer.weights.collect())
        gradients[-1].copy_(torch.stack(gradients).mean(dim=0))
        s = settings
        rate = learning_rate(step, s.peak, s.warmup, s.decay, s.steps)
        trainer.weights.step(rate, s.clip)
    return trainer.weights.weights()


def test_two_processes_train_as_one_on_both_their_batches(
    corpus: Path, pairs: list[Pair], settings: TrainingSettings, tmp_path: Path
) -> None:
    settings = replace(settings, steps=STEPS, dropout=0.0)
    sizes = {**settings.config.to_dict(), **settings.to_dict()}
    flags = [
        f"--{name.replace('_', '-')}={value[0] if isinstance(value, tuple) else value}"
        for name, value in sizes.items()
        if isinstance(value, int | float | tuple)
        and not name.endswith("_id")
        and name not in ("weights", "phases")
    ]
    run = tmp_path / "run"
    data = [
        f"--train={corpus / 'train.tsv.gz'}",
        f"--dev={corpus / 'dev.tsv'}",
        f"--run-folder={run}",
    ]
    torchrun(tmp_path, [*data, *flags, f"--out={tmp_path / 'out'}", "--save-every=4"])

    first, second = (torch.load(run / f"weights.{rank}.pt", weights_only=True) for rank in range(2))
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())

    state = torch.load(run / "state.pt", weights_only=True)
    assert state["step"] == STEPS
    assert len(state["random"]) == 2
    assert not torch.equal(*state["random"])

    tokenizer = Tokenizer.from_file(run / "tokenizer.model")
    data = feeds(encode_pairs(pairs, tokenizer, settings.longest), tokenizer, settings)
    fast = torch.cpu.get_capabilities().get("avx512_bf16", False)
    place = Process(torch.device("cpu"), torch.bfloat16 if fast else torch.float32)
    expected = by_hand(settings, data, place, tmp_path / "alone")
    for name, tensor in first.items():
        assert tensor.isfinite().all()
        assert torch.equal(tensor, expected[name]), name


def test_each_process_goes_on_with_its_own_random_numbers(
    settings: TrainingSettings,
    pairs: list[Pair],
    tokenizer: Tokenizer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = feeds(encode_pairs(pairs, tokenizer, 64), tokenizer, settings)
    trainer = Trainer(settings, data[0], tmp_path, Process(torch.device("cpu"), torch.float32))
    states = torch.stack([torch.Generator().manual_seed(seed).get_state() for seed in (5, 6)])
    monkeypatch.setattr(trainer, "_gather", lambda _: states)
    trainer.save()
    for rank in range(2):
        place = Process(torch.device("cpu"), torch.float32, rank, world=2)
        assert Trainer(settings, data[rank], tmp_path, place).resume()
        assert torch.equal(torch.get_rng_state(), states[rank])


def test_no_option_is_the_beginning_of_one_of_torchruns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It would take the option for its own, even behind the name of the module."""
    theirs = [o for o in get_args_parser()._option_string_actions if o.startswith("--")]
    parsers: list[argparse.ArgumentParser] = []
    parse_args = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(
        argparse.ArgumentParser,
        "parse_args",
        lambda self, *given: parsers.append(self) or parse_args(self, *given),
    )
    monkeypatch.setattr(sys, "argv", ["training", f"--train={tmp_path}", f"--dev={tmp_path}"])
    parse()
    ours = [o for o in parsers[0]._option_string_actions if o.startswith("--")]
    assert "--go-on-from" in ours
    taken = {own: theirs_ for own in ours for theirs_ in theirs if theirs_.startswith(own)}
    assert taken == {"--help": "--help"}
