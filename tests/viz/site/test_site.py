"""The site as a command: what it refuses, and how."""

import os
import zlib
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import WEIGHTS
from tests.fixtures.marian_folder import TINY, write_marian
from viz import program
from viz.compute import examples, models
from viz.language.text import using
from viz.site import engine, site
from viz.site.__main__ import named
from viz.site.pages import ATTENTION, BORN, STORY, Site
from viz.site.site import sentences_of, write_site


def quiet(_text: str) -> None:
    pass


def never(*_arguments: object, **_options: object) -> dict[str, str]:
    raise AssertionError("nothing is recorded for a folder that cannot take it")


def test_a_folder_that_cannot_take_it_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "sentences_of", never)
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
    assets = {"a.js": "é" * (site.LARGEST // 2 + 1)}
    monkeypatch.setattr(site, "sentences_of", lambda _name: {})
    monkeypatch.setattr(site, "_assets", lambda _site: assets)
    monkeypatch.setattr(site, "_page", lambda *_: {})
    with pytest.raises(ValueError, match="10,000,002 bytes, and at most 10,000,000 are allowed"):
        write_site(tmp_path / "site", tell=quiet)
    assert list((tmp_path / "site").iterdir()) == []


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site, "site_files", lambda *_: {"a.js": b"1"})
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ValueError, match="could not be written: No space left on device"):
        write_site(tmp_path / "site", tell=quiet)


def test_a_recurrent_model_is_refused() -> None:
    with pytest.raises(ValueError, match="en-fr-dot is recurrent"):
        sentences_of("en-fr-dot")


def test_a_model_without_examples_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "languages", lambda: None)
    with pytest.raises(ValueError, match=r"en-fr has no examples of its own.*examples\.json"):
        sentences_of("en-fr")


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


def test_a_model_made_elsewhere_is_refused_with_what_the_page_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "opus-mt-en-xx"
    write_marian(own, TINY)
    monkeypatch.setenv(models.NAMED_AT_START, f"en-fr{os.pathsep}{own}")
    with pytest.raises(ValueError, match=r"opus-mt-en-xx does not run in a browser.*biased True"):
        sentences_of(own.name)


def test_the_models_of_a_site_are_named_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, "en-fr")  # and back to what it was
    monkeypatch.delenv(models.NAMED_AT_START)
    assert named(None) == ["en-fr", "zh-en"]
    path = str(models.folder_of("zh-en"))
    assert named([path, "en-fr", "zh-en"]) == ["zh-en", "en-fr"]
    monkeypatch.setenv(models.NAMED_AT_START, "zh-en")
    assert named(None) == ["zh-en"]


def test_the_first_model_lies_at_the_top_and_a_page_that_another_lacks_leads_to_its_first() -> None:
    pages = {"en-fr": (STORY, ATTENTION, BORN), "a b": (STORY, ATTENTION)}
    first, second = (Site(name, {}, pages) for name in pages)
    assert (first.place, second.place) == ("", "models/a b/")
    assert first.links(BORN, "") == {
        "en-fr": "learning.html",
        "a b": "models/a%20b/index.html",
    }
    with using("zh"):
        links = second.links(ATTENTION, "../../../")
    assert links["en-fr"] == "../../../zh/attention.html"


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
