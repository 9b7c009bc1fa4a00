"""The site as a command: what it refuses, and how."""

import os
import zlib
from pathlib import Path

import pytest

from model.checkpoints import live
from model.checkpoints.checkpoint import WEIGHTS
from model.measures.swing import Swing
from tests.fixtures.marian_folder import TINY, write_marian
from viz import program
from viz.compute import examples, models, swings
from viz.language.text import using
from viz.site import engine, site
from viz.site.__main__ import named
from viz.site.messages import Drawn
from viz.site.pages import ATTENTION, BORN, DECODER, HEAD, LAB_HEADS, LAB_MASKS, STORY, Site
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


@pytest.mark.parametrize(
    ("name", "lacking"),
    [("en-fr-joined", "joined positions"), ("en-fr-additive-scores", "additive scores")],
)
def test_what_the_model_in_the_page_does_not_know_is_named(name: str, lacking: str) -> None:
    with pytest.raises(ValueError, match=f"{name} does not run in a browser: .* no {lacking}$"):
        sentences_of(name)


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


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a model made elsewhere, in force."""
    own = write_marian(tmp_path / "opus-mt-en-xx", TINY)
    monkeypatch.setenv(models.NAMED_AT_START, str(own))
    return own.name


def test_nothing_is_said_of_the_sentences_of_a_model_made_elsewhere(elsewhere: str) -> None:
    pages = sentences_of(elsewhere)
    assert {ATTENTION, DECODER, HEAD, LAB_HEADS, LAB_MASKS} <= set(pages)
    assert BORN not in pages
    texts = examples.of("en-fr").texts if (ours := pages[ATTENTION]) else ()
    assert [one.text for one in ours] == list(texts)
    assert {(one.shows, one.look, one.link) for one in ours} == {("", "", "")}


def test_a_model_that_decides_nothing_has_no_story(
    elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swing(_pair: object) -> Swing:
        return Swing("encoder", 1, 2, (0.9, 0.1), (0.1, 0.9))

    monkeypatch.setattr(swings, "swing", swing)
    assert STORY in sentences_of(elsewhere)

    def none(_pair: object) -> Swing:
        raise ValueError("no head decides")

    monkeypatch.setattr(swings, "swing", none)
    assert STORY not in sentences_of(elsewhere)


def test_the_first_page_of_a_model_without_a_story_is_that_of_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "_messages", lambda *_: [Drawn({})])
    monkeypatch.setattr(site, "page_html", lambda _site, page, _common: page)
    own = Site("en-fr", {}, {"en-fr": (ATTENTION, HEAD)})
    first, second = (site._page(own, page) for page in own.pages)
    assert first["index.html"] == first["attention.html"] == first["zh/index.html"] == ATTENTION
    assert [path for path in second if path.endswith(".html")] == ["head.html", "zh/head.html"]


def test_a_model_that_no_browser_holds_is_refused(
    elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_WEIGHTS", 1_000)
    with pytest.raises(ValueError, match=rf"{elsewhere} does not run in a browser: .* weights"):
        sentences_of(elsewhere)


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
