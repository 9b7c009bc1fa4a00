"""Work in processes of their own: what it writes is there afterwards, what it raises is told."""

from pathlib import Path

import pytest
import torch

from model.checkpoints.checkpoint import CHECKPOINTS
from model.recording.history import CUTS
from model.tokenizer import Tokenizer
from model.training.loop.beside import Beside
from model.training.loop.moments import Moments
from model.training.settings import TrainingSettings
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


def test_moments_recorded_beside_are_those_recorded_here(tmp_path: Path) -> None:
    pieces = Tokenizer.from_file(CHECKPOINTS / "en-fr" / "tokenizer.model")
    config = ModelConfig(len(pieces), 16, 2, 16, encoder_layers=2, decoder_layers=1, max_length=64)
    settings = TrainingSettings(config, interchange=(1.0,), carrier_layer=2, carrier_head=1)
    torch.manual_seed(0)
    weights = {name: each.detach() for name, each in Transformer(config).state_dict().items()}
    here, there = (Moments(tmp_path / name, pieces, settings) for name in ("here", "there"))
    here.add_weights(weights, 3, 1.5)
    beside = Beside()
    beside.start(there.add_weights, weights, 3, 1.5)
    assert beside.finish()
    ours, theirs = here.history(), there.history()
    assert ours.cuts.shape == (1, len(CUTS))
    assert ours.cuts.tolist() == theirs.cuts.tolist()
    assert ours.translations == theirs.translations


def test_an_error_beside_is_raised_at_the_end(tmp_path: Path) -> None:
    beside = Beside()
    beside.start((tmp_path / "missing" / "folder").mkdir)
    with pytest.raises(FileNotFoundError, match="missing"):
        beside.finish()


def test_where_nothing_was_begun_nothing_is_waited_for() -> None:
    assert not Beside().finish()
