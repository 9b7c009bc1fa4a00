from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from model.recording import history as module
from model.recording.history import (
    CUTS,
    HISTORY,
    History,
    KnownSentence,
    as_bytes,
    load_history,
    not_measured,
    pack_history,
)
from model.sites.sites import Kind


@pytest.fixture
def history() -> History:
    random = np.random.default_rng(0)
    sentence = KnownSentence("A cat.", "Un chat.", ("▁A", "▁cat", ".", "</s>"), ("<s>", "▁Un"))
    shapes: dict[Kind, tuple[int, int]] = {"encoder": (4, 4), "decoder": (2, 2), "cross": (2, 4)}
    arrays: dict[tuple[int, Kind], np.ndarray] = {
        (number, kind): random.integers(0, 256, (3, 2, 4, *shape), np.uint8)
        for number in range(2)
        for kind, shape in shapes.items()
    }
    return History(
        np.array([0, 1, 4]),
        np.array([9.0, 8.5, 1.25], np.float32),
        (sentence, sentence),
        (("", "?"), ("Un", "Un un"), ("Un chat.", "Un chat.")),
        MappingProxyType(arrays),
        not_measured(3),
    )


def write(folder: Path, history: History) -> Path:
    path = folder / HISTORY
    path.write_bytes(pack_history(history))
    return path


def rewrite(path: Path, without: str = "", **other: np.ndarray) -> None:
    """Write a history's file once more, some of its arrays being others."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files if name != without}
    np.savez(path, **{**arrays, **other})  # pyrefly: ignore[bad-argument-type]


def test_a_history_comes_back_as_it_was_written(history: History, tmp_path: Path) -> None:
    write(tmp_path, history)
    found = load_history(tmp_path)
    assert found.steps.tolist() == [0, 1, 4]
    assert found.dev_loss.tolist() == [9.0, 8.5, 1.25]
    assert found.sentences == history.sentences
    assert found.translations == history.translations
    for key, array in history.arrays.items():
        assert np.array_equal(found.attention(*key), array)
        assert not found.attention(*key).flags.writeable
    assert not found.steps.flags.writeable


def test_numbers_have_one_type_in_memory_and_weights_are_bytes_in_the_file(
    history: History, tmp_path: Path
) -> None:
    path = write(tmp_path, history)
    with np.load(path) as file:
        assert {str(file[f"{number}.{kind}"].dtype) for number, kind in history.arrays} == {"uint8"}
    rewrite(path, steps=np.array([0, 1, 4], np.int32), dev_loss=np.array([9, 8.5, 1.25]))
    found = load_history(tmp_path)
    assert (found.steps.dtype, found.dev_loss.dtype) == (np.int64, np.float32)


def test_a_sentence_or_kind_that_is_not_there_is_named(history: History) -> None:
    with pytest.raises(ValueError, match="sentence 0 to 1 and one of encoder, decoder, cross"):
        history.attention(2, "encoder")
    with pytest.raises(ValueError, match="not 0 and 'both'"):
        history.attention(0, "both")  # pyrefly: ignore[bad-argument-type]


def test_weights_become_bytes() -> None:
    found = as_bytes(np.array([-0.1, 0, 0.5, 1, 1.1]))
    assert found.tolist() == [0, 0, 128, 255, 255]
    assert found.dtype == np.uint8


def test_a_history_that_is_too_large_is_rounded_and_no_more_than_needed(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = len(pack_history(history))
    monkeypatch.setattr(module, "LARGEST", exact)
    assert len(pack_history(history)) == exact
    monkeypatch.setattr(module, "LARGEST", exact - 1)
    write(tmp_path, history)
    found = load_history(tmp_path)
    errors = [
        np.abs(found.arrays[key].astype(int) - array).max() for key, array in history.arrays.items()
    ]
    assert 0 < max(errors) <= 2
    assert (tmp_path / HISTORY).stat().st_size < exact
    monkeypatch.setattr(module, "LARGEST", 100)
    with pytest.raises(ValueError, match="bytes is larger than 100"):
        pack_history(history)


def test_runs_come_back_and_a_file_without_them_has_one(history: History, tmp_path: Path) -> None:
    write(tmp_path, replace(history, runs=(0, 2)))
    assert load_history(tmp_path).runs == (0, 2)
    rewrite(tmp_path / HISTORY, without="runs")
    assert load_history(tmp_path).runs == (0,)
    for wrong in ((), (1,), (0, 3), (0, 2, 1), (0, 0)):
        write(tmp_path, replace(history, runs=wrong))
        with pytest.raises(ValueError, match="runs that begin at the moments"):
            load_history(tmp_path)


def test_cuts_that_an_earlier_file_did_not_measure_are_unknown(
    history: History, tmp_path: Path
) -> None:
    shares = np.linspace(0, 1, 3 * len(CUTS), dtype=np.float32).reshape(3, -1)
    path = write(tmp_path, replace(history, cuts=shares))
    assert np.array_equal(load_history(tmp_path).cuts, shares)
    rewrite(path, cuts=shares[:, :-1])
    found = load_history(tmp_path).cuts
    assert np.array_equal(found[:, :-1], shares[:, :-1])
    assert np.isnan(found[:, -1]).all()
    wide = np.hstack([shares, shares])
    for wrong in (shares[:2], wide, shares[:, :0], shares + 1):
        rewrite(path, cuts=wrong)
        with pytest.raises(ValueError, match="shares"):
            load_history(tmp_path)


def test_a_missing_or_damaged_history_is_one_sentence(history: History, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"history\.npz: not the history of a training run"):
        load_history(tmp_path)
    path = write(tmp_path, history)
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0xFF
    for damaged in (b"", b"no archive", content[: len(content) // 2], bytes(flipped)):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"history\.npz: not the history") as raised:
            load_history(tmp_path)
        assert "\n" not in str(raised.value)


def test_parts_that_do_not_fit_are_refused(history: History, tmp_path: Path) -> None:
    for wrong, why in (
        (
            replace(history, dev_loss=history.dev_loss[:2]),
            r"3 moments, \(2,\) losses, \(3, 2\) texts",
        ),
        (replace(history, translations=history.translations[:2]), r"\(3,\) losses, \(2, 2\) texts"),
        (
            replace(history, steps=history.steps[:2], dev_loss=history.dev_loss[:2]),
            r"2 moments, \(2,\) losses, \(3, 2\) texts",
        ),
    ):
        write(tmp_path, wrong)
        with pytest.raises(ValueError, match=f"not the history of a training run.*{why}"):
            load_history(tmp_path)
    path = write(tmp_path, history)
    rewrite(path, without="1.cross")
    with pytest.raises(ValueError, match=r"1\.cross"):
        load_history(tmp_path)
    rewrite(write(tmp_path, history), sources=np.array(["A cat."] * 3))
    with pytest.raises(ValueError, match=r"argument 2 is shorter"):
        load_history(tmp_path)
    weights = history.arrays[1, "cross"]
    for shape in ((3, 2, 4, 4, 2), (3, 8, 2, 4), (2, 2, 4, 2, 4)):
        wrong = {"1.cross": np.resize(weights, shape)}
        rewrite(write(tmp_path, history), "", **wrong)
        with pytest.raises(ValueError, match=r"cross attention of the shape \("):
            load_history(tmp_path)
