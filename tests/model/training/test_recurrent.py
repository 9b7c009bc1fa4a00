"""Training a recurrent model by the same command."""

import sys
from pathlib import Path

import pytest
import torch

from model import load_translator
from model.learning.master_weights import MasterWeights
from model.recurrent.config import RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.training import __main__ as command
from model.training.data.pairs import read_pairs
from model.training.dev_loss import loss_of

SIZES = ["--d-model=48", "--d-state=24", "--d-score=12", "--max-length=64", "--tokens=200"]
RUN = [
    *("--warmup=3", "--decay=4", "--threads=1", "--generated=0", "--phrases=0", "--unmarked=0"),
    *("--blanked=0", "--phases=0.9"),
]


def train(monkeypatch: pytest.MonkeyPatch, corpus: Path, folder: Path, *more: str) -> int:
    data = [f"--train={corpus / 'train.tsv.gz'}", f"--dev={corpus / 'dev.tsv'}"]
    folders = [f"--run-folder={folder / 'run'}", f"--out={folder / 'recurrent'}"]
    monkeypatch.setattr(sys, "argv", ["training", *data, *folders, *SIZES, *RUN, *more])
    return command.main()


@pytest.mark.always
@pytest.mark.parametrize("kind", ["none", "local-p"])
def test_a_recurrent_model_learns_and_leaves_the_shared_embedding_as_it_is(
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    corpus: Path,
    tmp_path: Path,
    checkpoint_folder: Path,
) -> None:
    given = (f"--kind={kind}", f"--embedding={checkpoint_folder}", "--peak=0.02", "--average=1")
    assert train(monkeypatch, corpus, tmp_path, *given, "--steps=40", "--save-every=20") == 0
    translator = load_translator(tmp_path / "recurrent")
    assert isinstance(translator.network, Recurrent)
    assert translator.network.config.kind == kind
    shared = load_translator(checkpoint_folder)
    assert torch.equal(translator.network.embedding.weight, shared.model.embedding.weight)
    assert translator.tokenizer.serialized == shared.tokenizer.serialized
    lines = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    dev = [float(line.split('"dev_loss": ')[1].split(",")[0]) for line in lines if "dev_" in line]
    assert dev[-1] < dev[0] - 0.3
    measured = loss_of(translator, read_pairs(corpus / "dev.tsv"))
    assert measured == pytest.approx(dev[-1], rel=0.01)


def test_an_unknown_checkpoint_for_the_embedding_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert train(monkeypatch, corpus, tmp_path, "--kind=dot", "--embedding=nowhere") == 1
    assert "nowhere" in capsys.readouterr().err


def test_every_weight_of_a_recurrent_model_belongs_to_one_optimizer() -> None:
    made = Recurrent(RecurrentConfig("local-p", vocab_size=50, d_model=8, d_state=8))
    weights = MasterWeights(made, torch.float32, 1e-3, 0.0)
    groups = [p for each in weights.optimizers for g in each.param_groups for p in g["params"]]
    assert {id(p) for p in groups} == {id(p) for p in weights.masters}
    assert len(groups) == len(weights.masters)


def test_a_run_can_start_from_the_weights_of_another_kind(
    monkeypatch: pytest.MonkeyPatch, corpus: Path, tmp_path: Path, checkpoint_folder: Path
) -> None:
    """What both have starts as the other's, what only this one has starts fresh."""
    given = (f"--embedding={checkpoint_folder}", "--steps=1", "--save-every=1", "--peak=0")
    assert train(monkeypatch, corpus, tmp_path / "a", "--kind=dot", *given) == 0
    start = f"--go-on-from={tmp_path / 'a' / 'recurrent'}"
    assert (
        train(monkeypatch, corpus, tmp_path / "b", "--kind=general", "--seed=5", start, *given) == 0
    )
    one, other = (load_translator(tmp_path / name / "recurrent").network for name in "ab")
    fresh = set(other.state_dict()) - set(one.state_dict())
    assert fresh == {"decoder.attention.key.weight"}
    for name, weight in one.state_dict().items():
        assert torch.equal(weight, other.state_dict()[name]), name
