"""Which model is asked: by its name only, kept apart from others, and few of them at a time."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import CHECKPOINTS
from viz.compute import models, pairs, runs, translators, weights
from viz.compute.models import kept

SENTENCE = "My sister is here."
NOT_NAMES = (
    "../en-fr",
    "./en-fr",
    "checkpoints/en-fr",
    "/etc",
    "..",
    ".",
    "en-fr/",
    "en-fr\x00",
    "C:\\en-fr",
    "",
)


@dataclass(frozen=True)
class Fake:
    folder: str


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folders that hold nothing but a config, and a translator that says which one it is of."""
    for name, config in (
        ("big", "{}"), ("big-dot", '{"kind": "dot"}'), ("other", "{}"), ("third", "{}")
    ):  # fmt: skip
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config)
    (tmp_path / "words only").mkdir()
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    monkeypatch.setattr(translators, "load_translator", Fake)
    monkeypatch.setenv(models.NAMED_AT_START, "other")
    yield tmp_path
    translators._hold_large.clear()
    translators._hold_small.clear()


def test_the_models_are_those_named_at_start_and_all_folders_with_a_config(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(models.folders()) == ["other", "big", "big-dot", "third"]
    assert models.default() == "other"
    elsewhere = folders / "elsewhere" / "big"
    elsewhere.mkdir(parents=True)
    monkeypatch.setenv(models.NAMED_AT_START, os.pathsep.join((str(elsewhere), "big-dot")))
    found = models.folders()
    assert list(found) == ["big", "big-dot", "big (2)", "other", "third"]
    assert (found["big"], found["big (2)"]) == (elsewhere, folders / "big")


def test_a_snapshot_of_the_hub_s_cache_is_called_by_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = tmp_path / "models--Helsinki-NLP--opus-mt-en-fr" / "snapshots" / "9a3e"
    snapshot.mkdir(parents=True)
    monkeypatch.setenv(models.NAMED_AT_START, str(snapshot))
    assert models.default() == "opus-mt-en-fr"
    assert models.folder_of("opus-mt-en-fr") == snapshot


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize("name", NOT_NAMES)
def test_a_path_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"no model .*; there are: other, big, big-dot, third"):
        translators.loaded(name)
    with pytest.raises(ValueError, match="no model"), models.using(name):
        pass


def test_two_transformers_are_held_and_the_one_unused_longest_leaves(folders: Path) -> None:
    (folders / "fourth").mkdir()
    (folders / "fourth" / "config.json").write_text("{}")
    big, third = translators.loaded("big"), translators.loaded("third")
    assert translators.loaded("big") is big
    translators.loaded("fourth")
    translators.loaded("big-dot")  # a small one takes no place
    assert translators.loaded("big") is big
    assert translators.loaded("third") is not third
    assert third.folder == str(folders / "third")  # who has it can still read it


@pytest.mark.usefixtures("folders")
def test_what_was_kept_of_a_model_leaves_with_it() -> None:
    asked: list[str] = []

    @kept
    def name(_text: str) -> str:
        asked.append(models.in_force())
        return models.in_force()

    for model in ("big", "other", "big", "big-dot", "third", "big"):
        with models.using(model):
            translators.loaded(model)
            name("a")
    assert asked == ["big", "other", "big-dot", "third"]
    with models.using("other"):
        name("a")
    assert asked[-1] == "other"


def test_a_recurrent_model_stands_beside_the_transformer_it_is_named_after(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert models.transformer_beside("big-dot") == "big"
    assert models.transformer_beside("other") == "other"
    (folders / "big").rename(folders / "large")
    later = time.monotonic() + 1  # the disk is read once a second
    monkeypatch.setattr(models.time, "monotonic", lambda: later)
    assert models.transformer_beside("big-dot") == "other"


def test_what_is_kept_of_a_model_is_not_given_out_for_another() -> None:
    asked: list[str] = []

    @kept
    def name(text: str) -> str:
        asked.append(text)
        return models.in_force()

    with models.using("en-fr-dot"):
        assert (name("a"), name("a")) == ("en-fr-dot", "en-fr-dot")
    assert (name("a"), name("a")) == ("en-fr", "en-fr")
    assert asked == ["a", "a"]


def test_two_models_record_the_same_sentence_each_on_its_own() -> None:
    own = runs.run(SENTENCE)
    with models.using("en-fr-dot"):
        other = runs.run(SENTENCE)
        assert runs.checkpoint_name().startswith("en-fr-dot (")
        assert weights.vocabulary().embedding.shape == (8000, 256)
        assert pairs.pair(SENTENCE, "My brother is here.").first.run is other
    assert own.recording.attention("cross").shape[:2] == (6, 8)
    assert other.recording.attention("cross").shape[:2] == (1, 1)
    assert other.source.ids == own.source.ids
    assert runs.run(SENTENCE) is own


def test_visitors_read_on_while_models_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"copy {number}" for number in range(3)]
    for name in names:
        (tmp_path / name).mkdir()
        for file in (CHECKPOINTS / "en-fr").iterdir():
            (tmp_path / name / file.name).symlink_to(file)
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    monkeypatch.setenv(models.NAMED_AT_START, names[0])

    def visit(turn: int) -> tuple[str, tuple[int, ...]]:
        with models.using(names[turn % 3]):
            run = runs.run(f"I have {2 + turn // 3} cats.")
            return run.translation.text, run.recording.attention("cross").shape[:2]

    with ThreadPoolExecutor(3) as visitors:
        found = list(visitors.map(visit, range(12)))
    for turn in range(0, 12, 3):
        assert found[turn] == found[turn + 1] == found[turn + 2]
        assert found[turn][1] == (6, 8)
    translators._hold_large.clear()
