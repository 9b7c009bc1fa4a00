"""Where a checkpoint is found, what opening it gives, and how its files are written."""

import errno
import json
import re
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import (
    load_checkpoint,
    read_weights,
    save_checkpoint,
    shared_embedding,
    words_folder,
    write_whole,
)
from model.checkpoints.files import LONGEST_JSON, read_json
from model.recurrent.config import RecurrentConfig
from model.tokenizer import Tokenizer
from model.transformer.transformer import Transformer
from model.translator import load_translator
from tests.fixtures.marian_folder import TINY, write_marian


def test_opening_tells_the_folder_the_card_and_the_tokenizers(
    checkpoint_folder: Path, tmp_path: Path
) -> None:
    own = load_checkpoint(checkpoint_folder)
    assert (own.folder, own.target_tokenizer) == (checkpoint_folder, None)
    theirs = load_checkpoint(write_marian(tmp_path / "marian", TINY))
    assert (theirs.folder, theirs.card) == (tmp_path / "marian", {})
    assert theirs.target_tokenizer is not None
    assert theirs.target_tokenizer.encode("chien") != theirs.tokenizer.encode("chien")


def test_a_folder_is_found_beside_the_program_too(
    checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkpoint_folder.parent)
    assert load_checkpoint("tiny").folder == Path("tiny")


def test_the_folders_there_are_come_with_the_one_that_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checkpoint, "CHECKPOINTS", tmp_path)
    with pytest.raises(ValueError, match=r"^no checkpoint 'x'; there are: none$"):
        load_checkpoint("x")
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
    with pytest.raises(ValueError, match=r"^no checkpoint 'x'; there are: a, b$"):
        load_checkpoint("x")


def test_what_is_given_for_a_folder_is_told_in_a_sentence(
    checkpoint_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "notes.txt").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    sentences = {
        checkpoint_folder / "config.json": f"it is a file; give its folder, {checkpoint_folder}",
        checkpoint_folder.parent: "a model's folder has it, and weights; models are in",
        tmp_path / "empty": "a model's folder has it, and weights; found: nothing",
        tmp_path / "notes": "found: notes.txt",
        tmp_path / "dangling": "no checkpoint",
        "x" * 5000: "no checkpoint has a name of 5,000 letters: xxxxx",
    }
    for given, said in sentences.items():
        with pytest.raises(ValueError, match=re.escape(said)) as refused:
            load_checkpoint(given)
        assert "\n" not in str(refused.value)


def test_json_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"a": 1}', encoding="utf-8-sig")
    assert read_json(path) == {"a": 1}


def test_weights_in_parts_are_the_same_weights(tmp_path: Path) -> None:
    whole = load_checkpoint(write_marian(tmp_path / "whole", TINY)).model.state_dict()
    folder = write_marian(tmp_path / "parts", TINY)
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    parts = {"part-1.safetensors": names[::2], "part-2.safetensors": names[1::2]}
    for part, of in parts.items():
        save_file({name: tensors[name] for name in of}, folder / part)
    files = {name: part for part, of in parts.items() for name in of}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": files}), encoding="utf-8")
    found = load_checkpoint(folder).model.state_dict()
    assert all(torch.equal(found[name], tensor) for name, tensor in whole.items())
    (folder / "part-2.safetensors").unlink()
    with pytest.raises(ValueError, match=r"part-2\.safetensors"):
        load_checkpoint(folder)
    index.write_text(json.dumps({"weight_map": {"a": "../x.safetensors"}}), encoding="utf-8")
    with pytest.raises(ValueError, match="is no file of safetensors beside it"):
        load_checkpoint(folder)


def test_words_are_looked_for_beside_the_folder_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here, shipped = tmp_path / "here", tmp_path / "shipped"
    (shipped / "words").mkdir(parents=True)
    monkeypatch.setattr(checkpoint, "CHECKPOINTS", shipped)
    config = RecurrentConfig(embedding="words")
    assert words_folder(config, here) == shipped / "words"
    (here / "words").mkdir(parents=True)
    assert words_folder(config, here) == here / "words"


def test_pieces_may_be_those_of_another_folder(
    checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(checkpoint_folder, tmp_path / "twin"))
    (folder / "tokenizer.model").unlink()
    values = read_json(folder / "config.json")

    def borrow(name: object) -> None:
        (folder / "config.json").write_text(json.dumps({**values, "tokenizer": name}))

    monkeypatch.setattr(checkpoint, "CHECKPOINTS", checkpoint_folder.parent)
    borrow(checkpoint_folder.name)
    own = load_checkpoint(checkpoint_folder).tokenizer.serialized
    assert load_checkpoint(folder).tokenizer.serialized == own
    borrow("nowhere")
    with pytest.raises(ValueError, match="no checkpoint 'nowhere'"):
        load_checkpoint(folder)
    for wrong in ("", 3, ["a"]):
        borrow(wrong)
        with pytest.raises(ValueError, match=r"config\.json: tokenizer must name a folder, not be"):
            load_checkpoint(folder)


def test_no_shipped_model_has_a_copy_of_the_words_folder_s_pieces() -> None:
    """Of en-fr alone, which is installed without it."""
    pieces = (checkpoint.CHECKPOINTS / "en-fr-words" / "tokenizer.model").read_bytes()
    files = checkpoint.CHECKPOINTS.glob("*/tokenizer.model")
    copies = {path.parent.name for path in files if path.read_bytes() == pieces}
    assert copies <= {"en-fr-words", "en-fr"}


def test_an_embedding_that_cannot_be_read_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_file({"other": torch.zeros(2)}, path)
    with pytest.raises(ValueError, match=rf"^{path}: .*embedding\.weight"):
        shared_embedding(tmp_path)


def test_files_are_written_for_people_to_read(
    model: Transformer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "folder"
    for _again in range(2):
        save_checkpoint(folder, model.config, model.state_dict(), tokenizer, {"name": "été"})
    lines = (folder / "card.json").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["{", '  "name": "été",']


def test_the_dtypes_that_can_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_file({"a": torch.zeros(2, dtype=torch.float64)}, path)
    said = "the tensor 'a' has the dtype F64, not one of F16, BF16, F32"
    with pytest.raises(ValueError, match=f"^{path}: {said}$"):
        read_weights(path, {"a": torch.zeros(2)})


def test_the_longest_json_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"a": "b"}).ljust(LONGEST_JSON))
    assert read_json(path) == {"a": "b"}
    path.write_text(json.dumps({"a": "b"}).ljust(LONGEST_JSON + 1))
    with pytest.raises(ValueError, match="longer than 10,000,000 bytes"):
        read_json(path)


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_name_that_says_nothing_is_no_folder_of_ours(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    said = r"^(\.\./)?config.json: " if name else "^no checkpoint ''; there are: "
    with pytest.raises(ValueError, match=said):
        load_checkpoint(name)


def test_a_model_in_the_cache_of_the_hub_is_found_by_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    asked = "Helsinki-NLP/opus-mt-en-fr"
    with pytest.raises(ValueError, match=f"hf download {asked} --local-dir opus-mt-en-fr"):
        load_checkpoint(asked)
    cached = tmp_path / "hub" / "models--Helsinki-NLP--opus-mt-en-fr"
    older, snapshot = (cached / "snapshots" / one for one in ("0c7f", "9a3e"))
    older.mkdir(parents=True)
    write_marian(snapshot, TINY)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("9a3e")
    for name in (asked, cached, cached / "snapshots"):
        with pytest.raises(ValueError, match=f"give {re.escape(str(snapshot))}$"):
            load_checkpoint(name)
    assert load_translator(snapshot).name == "opus-mt-en-fr"


def test_what_cannot_be_written_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "figure.html"
    path.write_text("old")
    monkeypatch.setattr(checkpoint.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("figure.html", "old")]
