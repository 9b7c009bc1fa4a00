import json
import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch.nn import functional

from model.tokenizer import Tokenizer
from model.training.data.pairs import EncodedPair
from model.training.loop.trainer import Trainer
from model.training.settings import TrainingSettings
from tests.model.training.conftest import collate

MakeTrainer = Callable[..., Trainer]
ROOT = Path(__file__).parents[4]


def same_weights(one: Trainer, other: Trainer) -> bool:
    mine, theirs = one.weights.weights(), other.weights.weights()
    return all(torch.equal(tensor, theirs[name]) for name, tensor in mine.items())


def test_the_loss_falls(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    losses = [progress.losses.loss for progress in make_trainer(tmp_path, steps=60).run()]
    assert len(losses) == 60
    assert sum(losses[-5:]) / 5 < 0.7 * losses[0]


def test_progress_tells_what_was_done(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    progress = list(trainer.run())
    assert [p.step for p in progress] == list(range(1, 13))
    assert [p.learning_rate for p in progress][:4] == pytest.approx(
        [1e-2 / 3, 2e-2 / 3, 1e-2, 1e-2]
    )
    assert progress[-1].learning_rate == pytest.approx(1e-2 / 4)
    assert all(0 < p.tokens <= 200 and p.seconds > 0 and p.gradient_norm > 0 for p in progress)
    assert trainer.seconds == pytest.approx(sum(p.seconds for p in progress))


def test_what_has_the_rate_zero_stays_as_it_is(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, pretrain=0, encoder_rate=0.0, embedding_rate=0.0)
    before = {name: weight.clone() for name, weight in trainer.weights.weights().items()}
    list(trainer.run())
    for name, weight in trainer.weights.weights().items():
        assert torch.equal(weight, before[name]) != name.startswith("decoder."), name


def test_a_first_loss_is_torchs(
    make_trainer: MakeTrainer, tmp_path: Path, settings: TrainingSettings
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0)
    batch = collate(trainer, *make_trainer(tmp_path).feed.pairs.next(0))
    logits = trainer.model(batch.source, batch.target[:, :-1])  # B T V
    expected = functional.cross_entropy(
        logits.flatten(0, 1),
        batch.target[:, 1:].flatten(),
        label_smoothing=settings.smoothing,
        ignore_index=settings.config.pad_id,
    )
    assert next(trainer.run()).losses.loss == pytest.approx(expected.item())


EVERY_TASK = {
    "pretrain": 3,
    "masked": (0.5, 0.2),
    "gender": (0.2,),
    "naming": (0.2,),
    "neighbours": (0.2,),
    "alive": (0.5,),
    "resting": (1.0,),
    "blanked": (0.2,),
    "encoder_rate": 0.33,
    "accumulate": 2,
}


@pytest.mark.parametrize("changes", [{}, EVERY_TASK], ids=["plain", "every task"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_interrupted_run_goes_on_bit_for_bit(
    make_trainer: MakeTrainer, tmp_path: Path, dtype: torch.dtype, changes: dict[str, float]
) -> None:
    straight = make_trainer(tmp_path / "straight", dtype, **changes)
    losses = [progress.losses for progress in straight.run()]
    first = make_trainer(tmp_path / "stopped", dtype, **changes)
    before = [progress.losses for progress in islice(first.run(), 5)]
    first.save()
    list(islice(first.run(), 2))  # steps that are lost with the process
    torch.manual_seed(99)
    second = make_trainer(tmp_path / "stopped", dtype, **changes)
    assert second.resume()
    assert second.step == 5
    after = [progress.losses for progress in second.run()]
    assert before + after == losses
    assert same_weights(second, straight)


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_that_prepare_batches_change_nothing(
    make_trainer: MakeTrainer, tmp_path: Path, workers: int
) -> None:
    plain = make_trainer(tmp_path / "a", **EVERY_TASK)
    losses = [progress.losses for progress in plain.run()]
    helped = make_trainer(tmp_path / "b", **EVERY_TASK)
    helped.place = replace(helped.place, workers=workers)
    assert [progress.losses for progress in helped.run()] == losses
    assert same_weights(plain, helped)


def test_a_state_without_optimizers_is_taken_up_at_a_rate_that_rises_anew(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, steps=40, decay=0, warmup=0)
    list(trainer.run(5))
    trainer.save()
    state = torch.load(trainer.state_path, weights_only=True)
    torch.save({**state, "optimizers": []}, trainer.state_path)
    again = make_trainer(tmp_path, steps=40, decay=0, warmup=0)
    assert again.resume()
    assert same_weights(again, trainer)
    rates = [progress.learning_rate for progress in again.run(8)]
    assert rates == pytest.approx([1e-2 * n / 50 for n in (1, 2, 3)])
    again.save()
    later = make_trainer(tmp_path, steps=40, decay=0, warmup=0)
    assert later.resume()
    assert later.learning_rate() == pytest.approx(1e-2 * 4 / 50)


def test_measuring_in_between_changes_nothing(
    make_trainer: MakeTrainer, tmp_path: Path, encoded: list[EncodedPair]
) -> None:
    plain = make_trainer(tmp_path / "a")
    list(plain.run())
    measured = make_trainer(tmp_path / "b")
    dev = [collate(measured, *encoded[:9])]
    for _ in measured.run():
        measured.evaluate(dev)
        measured.save()
    assert same_weights(plain, measured)


def test_the_measured_loss_is_the_mean_over_all_pieces(
    make_trainer: MakeTrainer, tmp_path: Path, encoded: list[EncodedPair]
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.5, join=0.0)
    batches = [collate(trainer, *encoded[:7]), collate(trainer, *encoded[7:])]
    found = trainer.evaluate(batches)
    total, pieces = 0.0, 0
    for pair in encoded:
        batch = collate(trainer, pair)
        logits = trainer.model(batch.source, batch.target[:, :-1])[0]  # T V
        total += functional.cross_entropy(logits, batch.target[0, 1:], reduction="sum").item()
        pieces += batch.target.size(1) - 1
    assert found == pytest.approx(total / pieces, rel=1e-4)
    assert math.isnan(trainer.evaluate([]))


def test_nothing_to_resume_starts_afresh(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    assert not trainer.resume()
    assert trainer.step == 0


def test_a_state_of_another_model_or_a_broken_one_is_named(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path)
    trainer.save()
    content = trainer.state_path.read_bytes()
    state = torch.load(trainer.state_path, weights_only=True)
    for name in ("embedding.weight", "decoder.layers.0.norm3.bias"):
        shorter = {**state["weights"], name: state["weights"][name][..., :-1]}
        torch.save({**state, "weights": shorter}, trainer.state_path)
        with pytest.raises(ValueError, match=r"state\.pt: not a state of this run"):
            make_trainer(tmp_path).resume()
    for damaged in (content[: len(content) // 2], b"", b"no state"):
        trainer.state_path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"state\.pt: not a state of this run"):
            make_trainer(tmp_path).resume()


def test_a_state_of_more_processes_is_refused(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    trainer.save()
    state = torch.load(trainer.state_path, weights_only=True)
    torch.save({**state, "random": state["random"].repeat(2, 1)}, trainer.state_path)
    with pytest.raises(ValueError, match="saved by 2 processes, not 1"):
        make_trainer(tmp_path).resume()


def test_resuming_drops_what_the_log_says_of_lost_steps(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path)
    for progress in islice(trainer.run(), 6):
        trainer.log(step=progress.step, loss=progress.losses.loss)
        if progress.step == 4:
            trainer.save()
    with trainer.log_path.open("a") as log:
        log.write('{"step": 7, "lo')
    again = make_trainer(tmp_path)
    again.resume()
    again.log(step=5)
    lines = trainer.log_path.read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("stage", ["os.fsync", "Path.replace"])
def test_a_save_that_breaks_off_leaves_the_state_before(
    make_trainer: MakeTrainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    trainer = make_trainer(tmp_path)
    list(islice(trainer.run(), 2))
    trainer.save()
    list(islice(trainer.run(), 2))

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(f"model.checkpoints.checkpoint.{stage}", fail)
        with pytest.raises(OSError, match="the disk is full"):
            trainer.save()
    again = make_trainer(tmp_path)
    assert again.resume()
    assert again.step == 2


KILLED = """
import os, sys
from pathlib import Path
import torch
from torch import Tensor
from model.transformer.config import ModelConfig
from model.tokenizer import Tokenizer
from model.training.data.batches import BatchMaker
from model.training.data.pairs import EncodedPair
from model.training.settings import TrainingSettings
from model.training.data.stream import Feed, Files, Stream
from model.training.loop.trainer import Process, Trainer

torch.set_num_threads(1)
folder, tokenizer, stage = Path(sys.argv[1]), Tokenizer.from_file(Path(sys.argv[2])), sys.argv[3]
config = ModelConfig(len(tokenizer), 32, 2, 48, 1, 1, 64)
settings = TrainingSettings(config, steps=9, pretrain=0, tokens=200, masked=(0,))
pairs = [EncodedPair([n, n + 1], [n + 2]) for n in range(4, 100)]
place = Process(torch.device("cpu"), torch.float32)
maker = BatchMaker(tokenizer, settings)
stream = Stream(maker, Files([pairs], 0), ((1.0,),), lambda _: settings.tokens)
trainer = Trainer(settings, Feed(settings, stream, None), folder, place)
for progress in trainer.run():
    if progress.step == 5:  # the second save is the one that is killed
        die = lambda *_: os._exit(9)
        if stage == "replace":
            Path.replace = die
        else:
            os.fsync = die
    if progress.step in (3, 5):
        trainer.save()
    trainer.log(step=progress.step, loss=progress.losses.loss)
"""


@pytest.mark.parametrize("stage", ["fsync", "replace"])
def test_kill_minus_nine_in_the_middle_of_a_save_loses_nothing(
    tokenizer: Tokenizer, tmp_path: Path, stage: str
) -> None:
    (tmp_path / "tokenizer.model").write_bytes(tokenizer.serialized)
    command = [
        sys.executable,
        "-c",
        KILLED,
        str(tmp_path),
        str(tmp_path / "tokenizer.model"),
        stage,
    ]
    done = subprocess.run(command, cwd=ROOT, check=False, timeout=300)
    assert done.returncode == 9
    assert (tmp_path / "state.pt.new").exists()
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    assert state["step"] == 3
    assert all(tensor.isfinite().all() for tensor in state["weights"].values())
