import sys
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from model.recording.history import CUTS, HISTORY, History, KnownSentence, as_bytes, load_history
from model.training import earlier as command
from model.training.data.known_sentences import ENGLISH
from model.training.earlier import joined, thinned
from model.translator import load_translator
from tests.model.training.conftest import Train


def history(*steps: int) -> History:
    """A sentence whose single weight in each kind of attention is the moment's number."""
    known = KnownSentence("a", "b", ("</s>",), ("<s>",))
    weights = np.arange(len(steps), dtype=np.uint8).reshape(-1, 1, 1, 1, 1)
    return History(
        np.array(steps),
        np.array([10.0 - step for step in steps], np.float32),
        (known,),
        tuple((f"text {step}",) for step in steps),
        MappingProxyType({(0, kind): weights for kind in ("encoder", "decoder", "cross")}),
        np.full((len(steps), len(CUTS)), 1 / len(steps), np.float32),
    )


def test_a_later_run_goes_on_counting_steps() -> None:
    both = joined(history(0, 1, 4), history(0, 2), 9)
    assert both.steps.tolist() == [0, 1, 4, 9, 11]
    assert both.runs == (0, 3)
    assert both.cuts[:, 0].tolist() == pytest.approx([1 / 3] * 3 + [1 / 2] * 2)
    assert both.dev_loss.tolist() == [10, 9, 6, 10, 8]
    assert [texts[0] for texts in both.translations] == [
        *("text 0", "text 1", "text 4"),
        *("text 0", "text 2"),
    ]
    assert both.attention(0, "cross").ravel().tolist() == [0, 1, 2, 0, 1]


def test_runs_that_do_not_fit_are_not_joined() -> None:
    first, second = history(0, 1, 4), history(0, 2)
    with pytest.raises(ValueError, match="step 4 is beyond the last of 3"):
        joined(first, second, 3)
    with pytest.raises(ValueError, match="stands before this one already"):
        joined(first, joined(first, second, 9), 20)
    other = replace(second, sentences=(KnownSentence("c", "d", ("</s>",), ("<s>",)),))
    with pytest.raises(ValueError, match="other sentences"):
        joined(first, other, 9)


def test_of_many_moments_some_are_kept_evenly_with_the_ends() -> None:
    found = thinned(history(0, 1, 2, 4, 8), 3)
    assert found.steps.tolist() == [0, 2, 8]
    assert found.dev_loss.tolist() == [10, 8, 2]
    assert found.translations == (("text 0",), ("text 2",), ("text 8",))
    assert found.attention(0, "encoder").ravel().tolist() == [0, 2, 4]
    assert thinned(history(0, 3), 20).steps.tolist() == [0, 3]


def call(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["earlier", *map(str, words)])
    return command.main()


def test_an_earlier_run_is_recorded_with_its_own_weights(
    train: Train,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert train(tmp_path, "--steps=4") == 0
    tiny, weights, dev = tmp_path / "tiny", tmp_path / "weights", corpus / "dev.tsv"
    own, translator = load_history(tiny), load_translator(tiny)
    end = {name: each.contiguous() for name, each in translator.model.state_dict().items()}
    torch.manual_seed(1)
    start = {name: torch.randn_like(each) / 10 for name, each in end.items()}
    weights.mkdir()
    save_file(start, weights / "0.safetensors")
    save_file(end, weights / "12.safetensors")
    options = ("--steps", 20, "--dev", dev, "--out", tiny, "--tokens", 200, "--keep", 3)
    assert call(monkeypatch, weights, *options) == 0
    assert "2 moments before 3" in capsys.readouterr().out
    found = load_history(tiny)
    assert found.steps.tolist() == [0, 12, 20, 22, 24]
    assert found.runs == (0, 2)
    # The weights of step 12 are those that the run ended with, in half precision.
    assert found.dev_loss[1] == pytest.approx(own.dev_loss[-1], abs=0.01)
    assert found.dev_loss[0] > found.dev_loss[1] + 0.1
    translator.model.load_state_dict(start)
    pair = ENGLISH[0]
    expected = as_bytes(translator.record(pair.source, pair.target).attention("encoder"))
    assert np.array_equal(found.attention(0, "encoder")[0], expected)


def test_what_is_no_earlier_run_is_one_line(
    train: Train,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert train(tmp_path, "--steps=2") == 0
    tiny, weights = tmp_path / "tiny", tmp_path / "weights"
    before = (tiny / HISTORY).read_bytes()
    weights.mkdir()
    options = ("--steps", 20, "--dev", corpus / "dev.tsv", "--out", tiny)
    assert call(monkeypatch, weights, *options) == 1
    assert "STEP.safetensors expected" in capsys.readouterr().err
    path = weights / "3.safetensors"
    path.write_bytes(b"no weights")
    assert call(monkeypatch, weights, *options) == 1
    assert f"{path}: " in capsys.readouterr().err
    save_file({"embedding.weight": torch.zeros(3, 3)}, path)
    assert call(monkeypatch, weights, *options) == 1
    assert f"{path}: the tensor " in capsys.readouterr().err
    assert (tiny / HISTORY).read_bytes() == before


def test_the_history_of_all_runs_before_can_stand_before_it(
    train: Train,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        assert train(folder, "--steps=2") == 0
    first, second, third = (folder / "tiny" for folder in folders)
    assert call(monkeypatch, "--history", first, "--steps", 2, "--out", second) == 0
    assert call(monkeypatch, "--history", second, "--steps", 4, "--out", third) == 0
    found = load_history(third)
    assert found.steps.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert found.runs == (0, 2, 4)
    assert call(monkeypatch, "--history", first, "--steps", 2, "--out", third) == 1
    assert "an earlier run stands before this one already" in capsys.readouterr().err
