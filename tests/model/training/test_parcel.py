import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from model.training import parcel as command
from model.training.loop.trainer import Trainer
from model.training.parcel import pack, unpack

MakeTrainer = Callable[..., Trainer]


def test_a_folder_comes_back_from_parts_that_are_small_enough(tmp_path: Path) -> None:
    folder, parts, again = tmp_path / "a", tmp_path / "parts", tmp_path / "b"
    contents = {"x.bin": bytes(range(256)) * 200, "sub/y.txt": b"text", "weights-5.pt": b"left"}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    written = pack(folder, parts, size=20_000)
    assert len(written) >= 3
    assert all(0 < part.stat().st_size <= 20_000 for part in written)
    unpack(parts, again)
    found = {str(p.relative_to(again)): p.read_bytes() for p in again.rglob("*") if p.is_file()}
    assert found == {name: contents[name] for name in ("x.bin", "sub/y.txt")}
    pack(again, parts, size=10**9)
    assert len(list(parts.iterdir())) == 1  # no part of before is left


def test_missing_parts_are_said(tmp_path: Path) -> None:
    folder, parts = tmp_path / "a", tmp_path / "parts"
    folder.mkdir()
    with pytest.raises(ValueError, match="there is nothing to pack"):
        pack(folder, parts)
    (folder / "x.bin").write_bytes(bytes(50_000))
    written = pack(folder, parts, size=20_000)
    written[1].unlink()
    with pytest.raises(ValueError, match="not all of them"):
        unpack(parts, tmp_path / "b")
    with pytest.raises(ValueError, match="no parts of a folder"):
        unpack(tmp_path / "gone", tmp_path / "b")


def test_a_run_goes_on_from_its_parcel(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    first = make_trainer(tmp_path / "run", steps=40)
    list(first.run(6))
    first.save()
    first.log(step=6)
    pack(tmp_path / "run", tmp_path / "parts")
    unpack(tmp_path / "parts", tmp_path / "again")
    small = (tmp_path / "again" / "state.pt").stat().st_size
    assert small < 0.4 * first.state_path.stat().st_size
    second = make_trainer(tmp_path / "again", steps=40)
    assert second.resume()
    assert (second.step, second.positions) == (6, first.positions)
    for name, value in second.weights.weights().items():
        assert torch.equal(value, first.weights.weights()[name].half().float())
    rates = [progress.learning_rate for progress in second.run()]
    assert rates[0] == pytest.approx(1e-2 / 50)
    assert second.log_path.read_text() == '{"step": 6}\n'


def test_the_command_packs_and_unpacks(
    make_trainer: MakeTrainer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_trainer(tmp_path / "run").save()

    def run(*given: str) -> int:
        monkeypatch.setattr(sys, "argv", ["parcel", *given])
        return command.main()

    assert run("pack", str(tmp_path / "run"), str(tmp_path / "parts")) == 0
    assert "part-00.bin" in capsys.readouterr().out
    assert run("unpack", str(tmp_path / "parts"), str(tmp_path / "again")) == 0
    assert "state.pt" in capsys.readouterr().out
    (tmp_path / "run" / "state.pt").write_bytes(b"no state")
    assert run("pack", str(tmp_path / "run"), str(tmp_path / "parts")) == 1
    assert "not a state of a run" in capsys.readouterr().err
