"""Losses on minimal pairs, held against the interventions of the same cuts and against plain torch.

The network is tiny and has random weights; the pieces are those of the shipped checkpoint.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from model.checkpoints.checkpoint import CHECKPOINTS
from model.interventions.attention import SetAttention
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention
from model.recording.history import CUTS
from model.recording.recording import Recording, record
from model.sites.sites import Head
from model.tokenizer import Tokenizer
from model.training.data.minimal import MinimalBatch, MinimalPairs
from model.training.data.pairs import EncodedPair
from model.training.data.stream import Feed
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.loop.trainer import Trainer
from model.training.losses.causal import (
    FAR,
    PRONOUN,
    SENTENCE,
    TOSS_UP,
    CausalObjective,
    Choice,
    carried_over,
    choices_when_cut,
)
from model.training.settings import CAUSAL, TrainingSettings
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from tests.model.training.conftest import make_feed

MakeTrainer = Callable[..., Trainer]
CARRIER = Head("encoder", layer=1, head=2)


@pytest.fixture(scope="module")
def pieces() -> Tokenizer:
    return Tokenizer.from_file(CHECKPOINTS / "en-fr" / "tokenizer.model")


@pytest.fixture(scope="module")
def taught(pieces: Tokenizer) -> TrainingSettings:
    config = ModelConfig(len(pieces), 32, 4, 48, encoder_layers=2, decoder_layers=2, max_length=64)
    return TrainingSettings(config, interchange=(1.0,), causal_pairs=3)


@pytest.fixture(scope="module")
def network(taught: TrainingSettings) -> Transformer:
    torch.manual_seed(0)
    assert isinstance(taught.config, ModelConfig)
    return Transformer(taught.config).eval()


@pytest.fixture(scope="module")
def batch(pieces: Tokenizer, taught: TrainingSettings) -> MinimalBatch:
    (found,) = MinimalPairs(pieces, taught).batches(held_out_minimal_pairs(4, unseen_frame=True))
    return found


def recorded(
    network: Transformer, batch: MinimalBatch, row: int, *interventions: Intervention
) -> Recording:
    """Record a row without padding, the target as far as the pronoun's step."""
    source = batch.source[row][batch.source[row] != 0].tolist()
    target = batch.target[row][: int(batch.step[row]) + 1].tolist()
    tokens = [""] * len(source), [""] * len(target)
    return record(network, source, target, *tokens, interventions)


def lead(recording: Recording, batch: MinimalBatch) -> float:
    il, elle = recording.logits[-1][batch.rivals.numpy()]
    return float(elle - il)


def other(batch: MinimalBatch, row: int) -> tuple[float, ...]:
    """Return the even weights over the other noun's pieces, for a row without padding."""
    marked = batch.other[row][batch.source[row] != 0]
    return tuple((marked / marked.sum()).tolist())


def test_places_are_those_of_it_the_nouns_and_the_pronoun(
    pieces: Tokenizer, taught: TrainingSettings
) -> None:
    pairs = held_out_minimal_pairs(5, unseen_frame=False)
    (batch,) = MinimalPairs(pieces, taught).batches(pairs)
    sentences = [pair.sentences[n] for n in range(2) for pair in pairs]
    for row, sentence in enumerate(sentences):
        source = pieces.tokens(batch.source[row].tolist())
        assert source[int(batch.it[row])] == "▁it"
        marked = "".join(t for t, noun in zip(source, batch.nouns[row], strict=True) if noun)
        assert set(marked.replace("▁", " ").split()) == {
            *sentence.antecedent_word.split(),
            *sentence.other_word.split(),
        }
        marked = "".join(t for t, noun in zip(source, batch.other[row], strict=True) if noun)
        assert marked.replace("▁", " ").strip() == sentence.other_word
        step = int(batch.step[row]) + 1
        said = pieces.tokens([int(batch.target[row, step]), int(batch.swapped[row, step])])
        assert said == (["elle", "il"] if batch.elle[row] else ["il", "elle"])
        assert bool(batch.elle[row]) == (sentence.gender == "f")
        assert batch.partner[batch.partner[row]] == row
        assert batch.elle[batch.partner[row]] != batch.elle[row]
        assert batch.it[batch.partner[row]] == batch.it[row]


def test_new_pairs_come_with_every_seed(pieces: Tokenizer, taught: TrainingSettings) -> None:
    minimal = MinimalPairs(pieces, taught)
    drawn = minimal.draw(1)
    assert len(drawn.source) == 6
    assert torch.equal(drawn.source, minimal.draw(1).source)
    other = minimal.draw(2).source
    assert drawn.source.shape != other.shape or not torch.equal(drawn.source, other)


def test_pieces_without_il_are_refused(tokenizer: Tokenizer, taught: TrainingSettings) -> None:
    with pytest.raises(ValueError, match="no piece 'il'"):
        MinimalPairs(tokenizer, taught)


def test_cuts_are_those_of_the_interventions(network: Transformer, batch: MinimalBatch) -> None:
    found = choices_when_cut(network, batch, CARRIER)
    assert tuple(found) == CUTS
    for row in range(len(batch.source)):
        it, step = int(batch.it[row]), int(batch.step[row])
        cuts: dict[str, list[Intervention]] = {
            "none": [],
            "link": [
                BlockAttention("encoder", it, key)
                for key in batch.nouns[row].nonzero().flatten().tolist()
            ],
            "one_head": [AblateHead("encoder", CARRIER.layer, CARRIER.head)],
            "reads": [BlockAttention("cross", step, it)],
            "turn": [SetAttention("encoder", CARRIER.layer, CARRIER.head, it, other(batch, row))],
        }
        for name, interventions in cuts.items():
            seen = recorded(network, batch, row, *interventions)
            assert found[name].leads[row].item() == pytest.approx(lead(seen, batch), abs=1e-5), name
            likely = np.exp(seen.logits[-1]) / np.exp(seen.logits[-1]).sum()
            expected = likely[batch.rivals.numpy()].sum()
            assert found[name].either[row].item() == pytest.approx(expected, rel=1e-4), name


@torch.no_grad()
def test_what_is_carried_over_is_the_other_sentences_vector(
    network: Transformer, batch: MinimalBatch
) -> None:
    found = choices_when_cut(network, batch, CARRIER)
    half = len(batch.source) // 2
    memory, mask = network.encode(batch.source)
    both = carried_over(memory, batch)
    for row in range(len(batch.source)):
        other, it = (row + half) % (2 * half), int(batch.it[row])
        by_hand = memory[row].clone()
        by_hand[it] = memory[other, it]
        assert torch.equal(both[row], by_hand)
        rest = memory[other].clone()
        rest[it] = memory[row, it]
        given = batch.target[row : row + 1, : int(batch.step[row]) + 1]
        for name, vectors, seen in (("it", by_hand, row), ("all but it", rest, other)):
            logits = network.decode(given, vectors[None], mask[seen, None])[0, -1]
            il, elle = logits[batch.rivals]
            assert found[name].leads[row].item() == pytest.approx(float(elle - il), abs=1e-5)


def test_interchange_is_the_loss_of_both_halves(network: Transformer, batch: MinimalBatch) -> None:
    memory, mask = network.encode(batch.source)

    def loss(memory: Tensor, target: Tensor, elle: Tensor) -> tuple[Tensor, Tensor, int]:
        logits = network.decode(target[:, :-1], memory, mask)
        sums = F.cross_entropy(
            logits.flatten(0, 1),
            target[:, 1:].flatten(),
            label_smoothing=0.1,
            ignore_index=0,
            reduction="sum",
        )
        rows = torch.arange(len(logits))
        il_elle = logits[rows, batch.step][:, batch.rivals]
        return sums, F.cross_entropy(il_elle, elle.long()), int((target[:, 1:] != 0).sum())

    as_it_is = loss(memory, batch.target, batch.elle)
    swapped = loss(carried_over(memory, batch), batch.swapped, ~batch.elle)
    sentence = (as_it_is[0] + swapped[0]) / (as_it_is[2] + swapped[2])
    expected = 2 * SENTENCE * sentence + PRONOUN * (as_it_is[1] + swapped[1])
    causal = CausalObjective(network, batch, CARRIER)
    assert causal.losses(["interchange"], 0.1)["interchange"].item() == pytest.approx(
        expected.item(), rel=1e-5
    )


def test_a_cut_should_leave_a_toss_up(network: Transformer, batch: MinimalBatch) -> None:
    choices = choices_when_cut(network, batch, CARRIER)
    losses = CausalObjective(network, batch, CARRIER).losses(CAUSAL, 0.1)
    for name in ("link", "one_head", "reads"):
        leads = choices[name].leads
        assert leads.abs().max() < FAR
        expected = TOSS_UP * leads.square().mean().item()
        assert losses[name].item() == pytest.approx(expected, rel=1e-4)


def test_under_a_cut_the_two_pronouns_should_keep_the_probability(
    network: Transformer, batch: MinimalBatch
) -> None:
    choices = choices_when_cut(network, batch, CARRIER)
    either = torch.cat([choices[name].either for name in ("link", "one_head", "reads")])
    expected = -either.log().mean().item()
    for wanted in (["share"], CAUSAL):
        losses = CausalObjective(network, batch, CARRIER).losses(wanted, 0.1)
        assert set(losses) == set(wanted)
        assert losses["share"].item() == pytest.approx(expected, rel=1e-4)


def test_turned_to_the_other_noun_the_sentence_is_the_other_one(
    network: Transformer, batch: MinimalBatch
) -> None:
    """Each sentence is scored alone, by the recorded pass whose carrier is set by hand."""
    sums, pieces, pronouns = 0.0, 0, 0.0
    for row in range(len(batch.source)):
        source = batch.source[row][batch.source[row] != 0].tolist()
        target = batch.swapped[row][batch.swapped[row] != 0]
        look = SetAttention(
            "encoder", CARRIER.layer, CARRIER.head, int(batch.it[row]), other(batch, row)
        )
        given = target[:-1].tolist()
        found = record(network, source, given, [""] * len(source), [""] * len(given), [look])
        logits = torch.from_numpy(found.logits.copy())
        sums += F.cross_entropy(logits, target[1:], label_smoothing=0.1, reduction="sum").item()
        pieces += len(given)
        il_elle = logits[batch.step[row], batch.rivals]
        pronouns += F.cross_entropy(il_elle, (~batch.elle[row]).long()).item()
    expected = SENTENCE * sums / pieces + PRONOUN * pronouns / len(batch.source)
    for wanted in (["turn"], CAUSAL):
        losses = CausalObjective(network, batch, CARRIER).losses(wanted, 0.1)
        assert losses["turn"].item() == pytest.approx(expected, rel=1e-4)


def test_the_losses_teach_causes(pieces: Tokenizer, taught: TrainingSettings) -> None:
    """After some steps on a few pairs the memory at "it" decides, and so does the carrier's look.

    Nothing is left when it is cut, but the two pronouns keep the probability.
    """
    torch.manual_seed(1)
    assert isinstance(taught.config, ModelConfig)
    model = Transformer(taught.config)
    batch = MinimalPairs(pieces, taught).draw(3)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(150):
        losses = CausalObjective(model, batch, CARRIER).losses(CAUSAL, 0.0)
        loss = torch.stack(list(losses.values())).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    choices = choices_when_cut(model.eval(), batch, CARRIER)

    def right(choice: Choice) -> float:
        return ((choice.leads > 0) == batch.elle).float().mean().item()

    assert right(choices["none"]) == 1
    assert right(choices["it"]) == right(choices["turn"]) == 0
    sizes = {name: choice.leads.abs().mean().item() for name, choice in choices.items()}
    for name in ("link", "one_head", "reads"):
        assert sizes[name] < 0.2 * sizes["none"]
        assert choices[name].either.min() > 0.9


def causal_trainer(
    folder: Path, make_trainer: MakeTrainer, pieces: Tokenizer, taught: TrainingSettings
) -> Trainer:
    """Build a trainer of the tiny network that teaches causes."""
    given = make_trainer(folder).settings
    weights: dict[str, Any] = {name: (0.5,) for name in CAUSAL}
    changed = replace(
        given, config=taught.config, carrier_layer=2, carrier_head=3, causal_pairs=2, **weights
    )
    pairs = [EncodedPair([20, 21, n], [22, 23, n]) for n in range(30, 60)]
    feed = make_feed(pairs, pieces, changed, MinimalPairs(pieces, changed))
    trainer = make_trainer(folder)
    return Trainer(changed, feed, folder, trainer.place)


def test_a_run_logs_each_loss_and_resumes_with_the_same_pairs(
    make_trainer: MakeTrainer, pieces: Tokenizer, taught: TrainingSettings, tmp_path: Path
) -> None:
    whole = causal_trainer(tmp_path / "whole", make_trainer, pieces, taught)
    losses = [progress.losses.named() for progress in whole.run(4)]
    assert all(set(CAUSAL) <= set(each) for each in losses)
    begun = causal_trainer(tmp_path / "parts", make_trainer, pieces, taught)
    list(begun.run(2))
    begun.save()
    again = causal_trainer(tmp_path / "parts", make_trainer, pieces, taught)
    assert again.resume()
    assert [progress.losses.named() for progress in again.run(4)] == losses[2:]


def test_a_feed_without_minimal_pairs_cannot_teach_causes(
    encoded: list[EncodedPair], tokenizer: Tokenizer, settings: TrainingSettings
) -> None:
    feed = make_feed(encoded, tokenizer, settings)
    with pytest.raises(ValueError, match="causal losses need minimal pairs"):
        Feed(replace(settings, link=(0.1,)), feed.pairs, feed.text)


@pytest.mark.parametrize("name", ["one_head", "turn", "share"])
def test_the_carrier_is_a_head_of_the_encoder(settings: TrainingSettings, name: str) -> None:
    weights: dict[str, Any] = {name: (0.1,)}
    with pytest.raises(ValueError, match=r"must name one of 1 x 2 encoder heads, not 1\.3"):
        replace(settings, carrier_layer=1, carrier_head=3, **weights)
