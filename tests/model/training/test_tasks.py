"""What the side tasks teach, and what they leave alone."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from model.training.data.pairs import Asked, EncodedPair
from model.training.data.stream import Examples, Position
from model.training.loop.trainer import Trainer
from model.training.settings import ALONE
from tests.model.training.conftest import collate

MakeTrainer = Callable[..., Trainer]


def test_generated_pairs_leave_the_embeddings_of_their_source_words_as_they_are(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0)

    def gradients(*pairs: EncodedPair) -> Tensor:
        loss = trainer.objective.translate(collate(trainer, *pairs), 0.0).loss
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
        side.neighbours_loss(memory, batch.source, model.embedding.weight, 0),
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


def test_neighbours_are_the_pieces_on_both_sides_and_no_others(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path)
    side, embedding = trainer.objective.side, trainer.model.embedding.weight.detach()
    source = collate(trainer, EncodedPair([20, 21], [22]), EncodedPair([30], [31])).source
    states = torch.randn(*source.shape, embedding.size(1))
    loss = side.neighbours_loss(states, source, embedding, trainer.settings.config.pad_id)

    def nats(head: torch.nn.Module, row: int, place: int, piece: int) -> Tensor:
        scores = side.norm(head(states[row, place])) @ embedding.mT + side.bias
        return -scores.log_softmax(-1)[piece]

    end = trainer.settings.config.end_id
    before = [nats(side.before, 0, 1, 20), nats(side.before, 0, 2, 21), nats(side.before, 1, 1, 30)]
    after = [nats(side.after, 0, 0, 21), nats(side.after, 0, 1, end), nats(side.after, 1, 0, end)]
    assert loss.item() == pytest.approx(torch.stack(before + after).mean().item(), rel=1e-5)


def test_resting_is_the_mean_weight_on_ends_and_marks_above_a_share(
    make_trainer: MakeTrainer, tmp_path: Path
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0)
    maker, config = trainer.feed.pairs.maker, trainer.settings.config
    mark = int(maker.resting[0])
    batch = collate(trainer, EncodedPair([20, mark, 21], [22]), EncodedPair([30], [31]))
    assert batch.resting.tolist() == [[False, True, False, True], [False, True, False, False]]
    looking = trainer.objective.translate(batch, 0.0).looking
    found = [weights[0, :, :4][..., [1, 3]].sum(-1) for weights in looking.kept]
    found += [weights[1, :, :2][..., [1]].sum(-1) for weights in looking.kept]
    mean = torch.cat([each.mean(0) for each in found]).mean()
    real = batch.source != config.pad_id
    assert looking.loss(batch.resting, real, 0.25).item() == pytest.approx(mean.item() - 0.25)
    assert looking.loss(batch.resting, real, 0.99).item() == 0


def test_unread_positions_are_hidden_from_every_step_and_the_end_never(
    make_trainer: MakeTrainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = make_trainer(tmp_path, dropout=0.0, unread=(0.3, 0.0), phases=(0.5,))
    batch = collate(
        trainer, *(EncodedPair([20] * 30, [22]) for _ in range(40)), EncodedPair([9], [])
    )
    masks: list[Tensor] = []
    decode = trainer.model.decode

    def kept(given: Tensor, memory: Tensor, mask: Tensor, *tap: object) -> Tensor:
        masks.append(mask)
        return decode(given, memory, mask, *tap)  # pyrefly: ignore[bad-argument-type]

    monkeypatch.setattr(trainer.model, "decode", kept)
    for phase in (0, 1):
        trainer.objective(Examples(batch, None, (Position(), Position())), phase)
    trainer.objective.translate(batch, 0.0)
    hidden, *whole = masks
    real = (batch.source != trainer.settings.config.pad_id).unsqueeze(1)  # B 1 S
    assert all(torch.equal(mask, real) for mask in whole)
    assert hidden.shape == real.shape  # the same for all steps, in all heads
    assert not (hidden & ~real).any()
    assert hidden[:40, 0, :30].float().mean().item() == pytest.approx(0.7, abs=0.05)
    assert hidden[:40, 0, 30].all()
    assert hidden[40, 0, 1]
