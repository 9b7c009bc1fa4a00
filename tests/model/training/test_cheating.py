"""A decoder that learns without its look-ahead mask, and what is measured of it."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model import load_translator
from model.checkpoints.card import CHEATING
from model.interventions.masks import LiftMask
from model.training import cheating
from model.training.data.pairs import EncodedPair, read_pairs
from model.training.loop.trainer import Trainer
from model.training.losses.objectives import without_look_ahead
from model.training.settings import TrainingSettings
from model.transformer.masks import causal_mask
from tests.model.training.conftest import Train, collate

MakeTrainer = Callable[..., Trainer]
SHORT, LONG = EncodedPair([20, 21], [22, 23]), EncodedPair([30, 31], [32, 33, 34, 35, 36])
LONGER = EncodedPair([30, 31], [32, 33, 34, 35, 36, 37, 38, 39])


def test_every_position_sees_all_that_is_given_and_no_padding() -> None:
    given = torch.tensor([[1, 7, 8], [1, 9, 0]])
    causal = causal_mask(3).expand(2, -1, -1)
    assert without_look_ahead(causal, given, 0).tolist() == [
        [[True] * 3] * 3,
        [[True, True, False]] * 3,
    ]


@pytest.mark.parametrize("look_ahead", [0, 1])
def test_more_padding_changes_no_loss(
    make_trainer: MakeTrainer, tmp_path: Path, look_ahead: int
) -> None:
    trainer = make_trainer(tmp_path, look_ahead=look_ahead, dropout=0.0)

    def total(*pairs: EncodedPair) -> float:
        loss = trainer.objective.translate(collate(trainer, *pairs), 0.0).loss.item()
        return loss * sum(len(pair.target) + 1 for pair in pairs)

    beside = [total(SHORT, other) - total(other) for other in (LONG, LONGER)]
    assert beside[0] == pytest.approx(beside[1], abs=1e-4)


def test_look_ahead_is_a_switch_and_for_transformers_alone(settings: TrainingSettings) -> None:
    with pytest.raises(ValueError, match="look_ahead must be 0 or 1, not 2"):
        replace(settings, look_ahead=2)


def test_both_are_measured_seeing_ahead_and_not(
    train: Train, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ("--steps=12", "--save-every=6", "--bleu=0", "--average=1")
    for name, look_ahead in (("cheat", 1), ("twin", 0)):
        assert train(tmp_path / name, *steps, f"--look-ahead={look_ahead}") == 0
    given = [f"--checkpoint={tmp_path / 'cheat' / 'tiny'}", f"--twin={tmp_path / 'twin' / 'tiny'}"]
    given += [f"--log={tmp_path / 'cheat' / 'run' / 'log.jsonl'}"]
    given += [f"--twin-log={tmp_path / 'twin' / 'run' / 'log.jsonl'}", "--sentences=3"]
    monkeypatch.setattr(sys, "argv", ["cheating", *given, f"--dev={corpus / 'dev.tsv'}"])
    assert not cheating.main()
    found = json.loads((tmp_path / "cheat" / "tiny" / CHEATING).read_text(encoding="utf-8"))
    cheat, twin = found["cheat"], found["twin"]
    assert cheat["dev_steps"] == twin["dev_steps"] == [6, 12]
    assert cheat["steps"][-1] == 12
    # What the log says at the last step is measured anew, each in the way it learned.
    assert cheat["sees_ahead"] == pytest.approx(cheat["dev_loss"][-1], abs=0.01)
    assert twin["sees_before"] == pytest.approx(twin["dev_loss"][-1], abs=0.01)
    assert cheat["sees_before"] != cheat["sees_ahead"]
    assert twin["sees_before"] != twin["sees_ahead"]
    assert found["pairs"] == len(read_pairs(corpus / "dev.tsv"))
    _check_ahead(found["ahead"], tmp_path / "cheat" / "tiny", corpus)


def _check_ahead(ahead: list[list[float]], folder: Path, corpus: Path) -> None:
    """Hold the weights on the next piece against a sum by hand."""
    translator = load_translator(folder)
    seen = []
    for pair in read_pairs(corpus / "dev.tsv")[:3]:
        recording = translator.record(pair.source, pair.target, (LiftMask("decoder"),))
        weights = recording.attention("decoder")  # L H T T
        seen += [weights[:, :, row, row + 1] for row in range(weights.shape[2] - 1)]
    assert np.array(ahead) == pytest.approx(np.mean(seen, axis=0), abs=1e-4)


def test_a_model_that_learned_with_the_mask_is_refused(
    train: Train, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert train(tmp_path, "--steps=2", "--bleu=0") == 0
    own, log = str(tmp_path / "tiny"), str(tmp_path / "run" / "log.jsonl")
    given = ["--checkpoint", own, "--twin", own, "--log", log, "--twin-log", log]
    monkeypatch.setattr(sys, "argv", ["cheating", *given, "--dev", str(corpus / "dev.tsv")])
    assert cheating.main() == 1
    assert not (tmp_path / "tiny" / CHEATING).exists()
