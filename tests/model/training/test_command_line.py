"""`python -m model.training` on a tiny corpus, then `python -m model` with what it made."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from model import load_translator
from model.recording.history import load_history
from model.training.data.pairs import read_pairs
from model.training.evaluate import evaluate
from model.training.loop import prepare
from model.training.loop.trainer import Trainer
from tests.model.training.conftest import Train, arguments

ROOT = Path(__file__).parent.parent.parent.parent


def log_of(folder: Path) -> list[dict[str, float]]:
    lines = (folder / "run" / "log.jsonl").read_text().splitlines()
    timed = {"seconds", "tokens_per_second"}
    entries = [{k: v for k, v in json.loads(line).items() if k not in timed} for line in lines]
    return [entry for entry in entries if "settings" not in entry and "vitals" not in entry]


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module as a program that ends well, with every warning an error."""
    command = [sys.executable, "-W", "error", "-m", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.always
def test_train_then_translate_from_the_command_line(corpus: Path, tmp_path: Path) -> None:
    """As a user does it."""
    given = arguments(corpus, tmp_path, "--steps=25", "--save-every=10")
    trained = ran("model.training", *given)
    assert "loss=" in trained.stderr
    assert "tokens_s=" in trained.stderr
    assert "25/25" in trained.stderr
    steps = [entry["step"] for entry in log_of(tmp_path) if "loss" in entry]
    assert steps == [10, 20, 25]
    translated = ran("model", "The cat sleeps.", "--checkpoint", str(tmp_path / "tiny"))
    expected = load_translator(tmp_path / "tiny").translate("The cat sleeps.").text
    assert translated.stdout.splitlines()[0] == expected
    assert "source: The cat sleeps." in translated.stdout


def test_the_card_says_how_the_checkpoint_was_made(
    train: Train,
    corpus: Path,
    tmp_path: Path,
) -> None:
    assert train(tmp_path, "--steps=4", "--save-every=4", "--seed=3") == 0
    translator = load_translator(tmp_path / "tiny")
    card = translator.card
    assert (card["name"], card["steps"]) == ("tiny", 4)
    assert card["data"] == {"train": "train.tsv.gz", "text": "", "dev": "dev.tsv"}
    assert card["settings"]["seed"] == 3
    assert card["settings"]["config"] == translator.config.to_dict()
    measured = [entry for entry in log_of(tmp_path) if "dev_loss" in entry]
    assert 0 <= measured[-1]["dev_bleu"] <= 100
    assert evaluate(translator.model, translator.tokenizer, corpus / "dev.tsv")[0].sentences == 12


def test_several_files_and_text_train_the_encoder_first(
    train: Train, corpus: Path, tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The dog drinks water.\nThe animal is here today.\n", encoding="utf-8")
    more = ["--train", f"{corpus / 'train.tsv.gz'}:1,2", f"{corpus / 'dev.tsv'}:1,0"]
    side = [f"--text={text}", "--pretrain=3", "--masked", "0.5", "0.1", "--phases", "0.5"]
    assert train(tmp_path, *more, *side, "--steps=8", "--save-every=8") == 0
    lines = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    first, *entries = map(json.loads, lines)
    assert first["settings"]["weights"] == [[1, 2], [1, 0]]
    assert first["pairs"] == [48, 12]
    assert first["sentences"] == 62
    watched = [entry["step"] for entry in entries if "vitals" in entry]
    assert watched == [0, 1, 2, 4, 8]
    vitals = entries[0]["vitals"]
    assert len(vitals["live"]) == len(vitals["none"]) == 1
    assert 30 < vitals["live"][0] < 70
    assert load_translator(tmp_path / "tiny").card["settings"]["pretrain"] == 3
    history = load_history(tmp_path / "tiny")
    assert history.steps.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert len(set(history.dev_loss.tolist())) > 6


def test_a_run_stops_where_it_is_told_to_and_goes_on(train: Train, tmp_path: Path) -> None:
    assert train(tmp_path, "--steps=6", "--until=4") == 0
    assert load_translator(tmp_path / "tiny").card["steps"] == 4
    assert train(tmp_path, "--steps=6", "--resume", "--minutes=0.0001") == 0
    assert load_translator(tmp_path / "tiny").card["steps"] == 5
    assert train(tmp_path, "--steps=6", "--resume") == 0
    assert train(tmp_path / "straight", "--steps=6") == 0
    files = [f / "run" / "state.pt" for f in (tmp_path, tmp_path / "straight")]
    one, other = (torch.load(file, weights_only=True)["weights"] for file in files)
    assert all(torch.equal(one[name], other[name]) for name in one)
    histories = [load_history(folder / "tiny") for folder in (tmp_path, tmp_path / "straight")]
    assert histories[0].steps.tolist() == histories[1].steps.tolist()
    assert histories[0].dev_loss.tolist() == histories[1].dev_loss.tolist()
    assert histories[0].translations == histories[1].translations


def test_pairs_that_do_not_translate_each_other_are_left_out(
    train: Train, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pairs_of(folder: Path) -> float:
        assert train(folder, "--steps=1", "--save-every=1") == 0
        lines = (folder / "run" / "log.jsonl").read_text().splitlines()
        return sum(json.loads(lines[0])["pairs"])

    every = read_pairs(corpus / "train.tsv.gz")
    assert pairs_of(tmp_path / "all") == len(every)
    monkeypatch.setattr(prepare, "NO_TRANSLATIONS", frozenset(every[:3]))
    assert pairs_of(tmp_path / "fewer") == sum(pair not in every[:3] for pair in every)


def test_a_stopped_run_resumed_is_the_uninterrupted_run(
    train: Train,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    assert train(straight, "--steps=12", "--save-every=5") == 0

    class Stop(Exception):
        pass

    learning_rate = Trainer.learning_rate

    def stop_late(trainer: Trainer) -> float:
        if trainer.step == 8:
            raise Stop
        return learning_rate(trainer)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "learning_rate", stop_late)
        with pytest.raises(Stop):
            train(stopped, "--steps=12", "--save-every=5")
    assert train(stopped, "--steps=12", "--save-every=5", "--resume") == 0
    assert log_of(stopped) == log_of(straight)
    assert [entry["step"] for entry in log_of(straight) if "loss" in entry] == [5, 10, 12]
    states = [torch.load(f / "run" / "state.pt", weights_only=True) for f in (straight, stopped)]
    for name, tensor in states[0]["weights"].items():
        assert torch.equal(tensor, states[1]["weights"][name]), name
    files = [(folder / "tiny" / "model.safetensors").read_bytes() for folder in (straight, stopped)]
    assert files[0] == files[1]


def test_a_run_killed_before_its_last_checkpoint_writes_it_on_resume(
    train: Train,
    tmp_path: Path,
) -> None:
    assert train(tmp_path, "--steps=3") == 0
    weights = tmp_path / "tiny" / "model.safetensors"
    before = weights.read_bytes()
    weights.write_bytes(b"half")
    assert train(tmp_path, "--steps=3", "--resume") == 0
    assert weights.read_bytes() == before
    assert load_translator(tmp_path / "tiny").card["steps"] == 3


def test_a_run_that_begins_afresh_does_not_average_with_another(
    train: Train, tmp_path: Path
) -> None:
    assert train(tmp_path, "--steps=1", "--seed=1") == 0
    assert train(tmp_path, "--steps=2", "--seed=2") == 0
    assert train(tmp_path / "alone", "--steps=2", "--seed=2") == 0
    again, alone = (
        (folder / "tiny" / "model.safetensors").read_bytes()
        for folder in (tmp_path, tmp_path / "alone")
    )
    assert again == alone


def test_a_run_can_be_lengthened(train: Train, tmp_path: Path) -> None:
    assert train(tmp_path, "--steps=3") == 0
    assert train(tmp_path, "--steps=5", "--resume") == 0
    assert load_translator(tmp_path / "tiny").card["steps"] == 5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("--vocab-size=9000", "9000 pieces cannot be learned"),
        ("--train=gone.tsv", "gone.tsv: "),
        ("--heads=5", "divisible by heads, not 32 / 5"),
        ("--dropout=1.5", "dropout must be at least 0 and below 1, not 1.5"),
        ("--generated=1", "generated must be at least 0 and below 1, not 1.0"),
        ("--phrases=-1", "phrases must be at least 0 and below 1, not -1.0"),
        ("--generated=0.6 --phrases=0.4", "leave no room for others in phase 0"),
        ("--average=0", "average must be at least 1, not 0"),
        ("--steps=-1", "steps must be at least 0, not -1"),
        ("--tokens=5", "0 batches are too few"),
        ("--pretrain=99999", "pretrain (99999) is longer than steps"),
        ("--phases 0.5 0.5 1", "phases must rise between 0 and 1"),
        ("--masked=-1", "masked must not be negative or empty"),
        ("--train=pairs.tsv:x", "FILE or FILE:WEIGHT,WEIGHT... expected"),
    ],
)
def test_a_wrong_argument_is_one_line_and_an_exit_code(
    train: Train,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    wrong: str,
    message: str,
) -> None:
    assert train(tmp_path, *wrong.split()) == 1
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_a_run_goes_on_from_the_weights_and_pieces_of_another(train: Train, tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert train(first, "--steps=2", "--save-every=2") == 0
    given = (f"--go-on-from={first / 'tiny'}", f"--pieces={first / 'tiny'}", "--peak=0")
    assert train(tmp_path / "more", *given, "--seed=9", "--steps=1", "--save-every=1") == 0
    one, other = (load_translator(folder / "tiny") for folder in (first, tmp_path / "more"))
    assert other.tokenizer.serialized == one.tokenizer.serialized
    for name, weight in one.network.state_dict().items():
        assert torch.equal(weight, other.network.state_dict()[name]), name
    begun = {"name": "tiny", "steps": 2, "sha256": one.card["sha256"]}
    assert other.card["start"] == begun
    assert "start" not in one.card
    again = (f"--go-on-from={tmp_path / 'more' / 'tiny'}", f"--pieces={first / 'tiny'}")
    assert train(tmp_path / "again", *again, "--steps=1", "--save-every=1") == 0
    assert load_translator(tmp_path / "again" / "tiny").card["start"]["steps"] == 3  # of both
