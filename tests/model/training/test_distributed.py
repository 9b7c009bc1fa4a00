"""Two processes under torchrun, joined by gloo, against one process doing the same by hand."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.data import BatchMaker, Pair, encode_pairs, endless
from model.training.loss import smoothed_cross_entropy
from model.training.schedule import learning_rate
from model.training.settings import TrainingSettings
from model.training.trainer import Place, Trainer
from model.training.vectors import count_vectors

ROOT = Path(__file__).parent.parent.parent.parent
STEPS = 6

# The command itself, with each process also keeping what it ends with.
WORKER = """
import sys
import torch
from model.training import __main__ as command
from model.training.trainer import Trainer

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
        timeout=120,
    )


def by_hand(
    settings: TrainingSettings, batches: BatchMaker, place: Place, folder: Path
) -> dict[str, Tensor]:
    """Train on both processes' batches in this one: the mean of the two mean gradients."""
    threads, config = torch.get_num_threads(), settings.config
    torch.set_num_threads(1)  # as each process has: more would round otherwise
    embedding = count_vectors(batches.pairs, config.vocab_size, config.d_model, settings.seed)
    torch.set_num_threads(threads)
    trainer = Trainer(settings, batches, folder, place, embedding)
    data = [endless(batches, 0, rank, 2) for rank in range(2)]
    trainer.model.train()
    for step in range(STEPS):
        gradients = []
        for batch in map(next, data):
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
    sizes = {**settings.config.to_dict(), **settings.to_dict(), "generated": 0.0}
    flags = [
        f"--{name.replace('_', '-')}={value}"
        for name, value in sizes.items()
        if isinstance(value, int | float) and not name.endswith("_id")
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
    batches = BatchMaker(encode_pairs(pairs, tokenizer, settings.longest), tokenizer, settings)
    assert len(list(islice(endless(batches, 0, 1, 2), STEPS))) == STEPS
    fast = torch.cpu.get_capabilities().get("avx512_bf16", False)
    place = Place(torch.device("cpu"), torch.bfloat16 if fast else torch.float32)
    expected = by_hand(settings, batches, place, tmp_path / "alone")
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
    batches = BatchMaker(encode_pairs(pairs, tokenizer, 64), tokenizer, settings)
    trainer = Trainer(settings, batches, tmp_path, Place(torch.device("cpu"), torch.float32))
    states = torch.stack([torch.Generator().manual_seed(seed).get_state() for seed in (5, 6)])
    monkeypatch.setattr(trainer, "_gather", lambda _: states)
    trainer.save()
    for rank in range(2):
        place = Place(torch.device("cpu"), torch.float32, rank, world=2)
        assert Trainer(settings, batches, tmp_path, place).resume()
        assert torch.equal(torch.get_rng_state(), states[rank])
