"""What the side tasks teach, and what they leave alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from model.training.data import Asked, EncodedPair
from model.training.settings import ALONE
from model.training.trainer import Trainer
from tests.model.training.conftest import collate

MakeTrainer = Callable[..., Trainer]


def test_generated_pairs_leave_the_embeddings_of_their_source_words_as_they_are(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0)

    def gradients(*pairs: EncodedPair) -> Tensor:
        loss, *_ = trainer.objective.translate(collate(trainer, *pairs), 0.0)
        return torch.autograd.grad(loss, trainer.model.embedding.weight)[0]

    real, other = EncodedPair([20, 21], [22, 23]), EncodedPair([30, 31], [32, 33])
    taught = gradients(real, other) - gradients(real, replace(other, generated=True))
    reached = taught.abs().amax(dim=1) > 1e-6
    assert reached.nonzero().flatten().tolist() == [trainer.settings.config.end_id, 30, 31]


def test_the_encoder_learns_alone_first_and_slower_later(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, pretrain=4, masked=(0.5,), encoder_rate=0.25)
    before = {name: value.clone() for name, value in trainer.weights.weights().items()}
    assert trainer.phase == ALONE
    progress = [next(run) for run in [trainer.run(4)] for _ in range(4)]
    assert all(p.losses.loss == p.losses.masked for p in progress)
    moved = {
        name for name, value in trainer.weights.weights().items() if (value != before[name]).any()
    }
    assert moved
    assert all(name.startswith(("encoder.", "embedding.")) for name in moved)
    assert (trainer.phase, trainer.encoder_rate()) == (0, 0.25)
    after = next(trainer.run())
    assert after.learning_rate == pytest.approx(1e-2 / 3)  # it rises anew
    assert after.losses.masked != after.losses.loss


def test_what_is_asked_of_the_memory_teaches_the_encoder_alone(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0)
    asks = EncodedPair([20, 21], [22], True, Asked(1, True, 20))
    batch = collate(trainer, asks, EncodedPair([30], [31]))
    side, model = trainer.objective.side, trainer.model
    memory = model.encode(batch.source)[0]
    for loss in (
        side.gender_loss(memory, batch),
        side.naming_loss(memory, batch, model.embedding.weight),
    ):
        model.zero_grad()
        loss.backward(retain_graph=True)
        taught = {name for name, p in model.named_parameters() if p.grad is not None}
        assert taught
        assert all(name.startswith(("encoder.", "embedding.")) for name in taught)
    nothing = collate(trainer, EncodedPair([30], [31]))
    loss = side.gender_loss(model.encode(nothing.source)[0], nothing)
    loss.backward()
    assert loss == 0
    assert side.elle.weight.grad is not None


def test_side_heads_are_no_part_of_the_model(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    assert set(trainer.weights.weights()) == set(trainer.model.state_dict())
    assert set(trainer.weights.side_weights()) == set(trainer.objective.side.state_dict())
