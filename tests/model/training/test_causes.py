"""What cuts do to il and elle, counted over pairs of sentences."""

import pytest
import torch
from torch import Tensor

from model.checkpoints.checkpoint import CHECKPOINTS
from model.recording.history import CUTS
from model.sites.sites import Head
from model.tokenizer import Tokenizer
from model.training import causes
from model.training.data.minimal import MinimalBatch
from model.training.generated.coreference import held_out_minimal_pairs
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


def test_memory_is_asked_of_the_pairs_whose_sentences_have_two_pronouns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pieces = Tokenizer.from_file(CHECKPOINTS / "en-fr" / "tokenizer.model")
    batches: list[MinimalBatch] = []

    def leads(_model: Transformer, batch: MinimalBatch, _carrier: Head) -> dict[str, Tensor]:
        """Right in all rows but the first; the memory of "it" turns all that tell pairs apart."""
        batches.append(batch)
        right = torch.where(batch.elle == 1, 1.0, -1.0)
        none = right.clone()
        none[0] *= -1
        turned = torch.where(none != none[batch.partner], -none, none)
        return {name: turned if name == "it" else none for name in CUTS}

    monkeypatch.setattr(causes, "leads_when_cut", leads)
    config = ModelConfig(len(pieces), 32, 4, 48, encoder_layers=1, decoder_layers=1)
    pairs = held_out_minimal_pairs(8, unseen_frame=True)
    found = causes.cut_pronouns(Transformer(config), pieces, pairs, Head("encoder", 0, 0))
    sentences = found.sentences
    assert sentences == sum(len(batch.source) for batch in batches)
    lost = len(batches)  # in each batch one sentence is wrong, and its pair is not told apart
    assert found.right["none"] == pytest.approx(1 - lost / sentences)
    assert found.apart == pytest.approx(1 - 2 * lost / sentences)
    assert found.changed["it"] == pytest.approx(found.apart)
    assert found.carried == 1
