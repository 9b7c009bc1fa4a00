"""The site as a command: what it refuses, and how."""

import os
import zlib
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import WEIGHTS
from viz import program
from viz.compute import examples, models
from viz.site import engine, site
from viz.site.site import site_files, write_site


def quiet(_text: str) -> None:
    pass


def never(*_arguments: object, **_options: object) -> dict[str, str]:
    raise AssertionError("nothing is recorded for a folder that cannot take it")


def test_a_folder_that_cannot_take_it_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "site_files", never)
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(ValueError, match="is not empty: name a new folder"):
        write_site(tmp_path, tell=quiet)
    with pytest.raises(ValueError, match=r"mine\.txt is a file: name a new folder"):
        write_site(tmp_path / "mine.txt", tell=quiet)
    with pytest.raises(ValueError, match="no folder can be made here"):
        write_site(tmp_path / "mine.txt" / "site", tell=quiet)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(ValueError, match="nothing may be written there"):
        write_site(tmp_path / "closed", tell=quiet)
    assert (tmp_path / "mine.txt").read_text() == "keep me"


def test_a_site_that_is_too_large_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        site, "site_files", lambda *_, **__: {"a.js": "é" * (site.LARGEST // 2 + 1)}
    )
    with pytest.raises(ValueError, match="10,000,002 bytes, and at most 10,000,000 are allowed"):
        write_site(tmp_path / "site", tell=quiet)
    assert list((tmp_path / "site").iterdir()) == []


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site, "site_files", lambda *_, **__: {"a.js": "1"})
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ValueError, match="could not be written: No space left on device"):
        write_site(tmp_path / "site", tell=quiet)


def test_a_recurrent_model_is_refused() -> None:
    with models.using("en-fr-dot"), pytest.raises(ValueError, match="en-fr-dot is recurrent"):
        site_files("", quiet)


def test_a_model_without_examples_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "languages", lambda: None)
    with pytest.raises(ValueError, match=r"en-fr has no examples of its own.*examples\.json"):
        site_files("", quiet)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--help"], 0, "headlight site"),
        ([], 2, "FOLDER"),
        (["new", "--address", "javascript:alert(1)"], 2, "https:// expected"),
    ],
)
def test_the_program_knows_the_command(
    arguments: list[str],
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["headlight", "site", *arguments])
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == status
    assert said in "".join(capsys.readouterr())


def test_a_model_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", "en-fr")  # and back to what it was
    command = ["headlight", "site", str(tmp_path / "site"), "--checkpoint", "nowhere"]
    monkeypatch.setattr("sys.argv", command)
    assert program.main() == 1
    assert capsys.readouterr().err.startswith("no checkpoint 'nowhere'")


def test_the_weights_are_packed_whole_and_smaller_with_their_bytes_apart() -> None:
    weights = (models.folder_of(models.in_force()) / WEIGHTS).read_bytes()
    told = engine.told()["weights"]
    assert isinstance(told, dict)
    packed = engine.files()[f"{engine.FOLDER}{told['name']}"]
    apart = zlib.decompress(packed)
    half = (len(apart) + 1) // 2
    assert (apart[:half], apart[half:]) == (weights[0::2], weights[1::2])
    assert told["apart"]
    assert len(packed) == told["packed"] < len(zlib.compress(weights))
