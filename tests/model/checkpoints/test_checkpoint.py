import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import load_checkpoint, save_checkpoint, write_whole
from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair, learn_tokenizer
from model.transformer.transformer import Transformer


@pytest.fixture
def folder(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(checkpoint_folder, tmp_path / "copy"))


def change_weights(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    """Change the tensors and make the card fit again, so that only the tensors are wrong."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path)
    change_json(folder / "card.json", sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def change_json(path: Path, **values: object) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(kept | values), encoding="utf-8")


def test_a_checkpoint_comes_back_in_half_precision(
    checkpoint_folder: Path, model: Transformer, tokenizer: Tokenizer
) -> None:
    loaded = load_checkpoint(checkpoint_folder)
    assert loaded.model.config == model.config
    assert loaded.tokenizer.serialized == tokenizer.serialized
    assert loaded.card["name"] == "tiny"
    for name, tensor in model.state_dict().items():
        assert torch.equal(loaded.model.state_dict()[name], tensor.half().float()), name
    assert torch.equal(loaded.model.get_buffer("positions"), model.get_buffer("positions"))


def test_a_loaded_model_is_ready_to_use_and_nothing_else(checkpoint_folder: Path) -> None:
    model = load_checkpoint(checkpoint_folder).model
    assert not any(module.training for module in model.modules())
    assert not any(parameter.requires_grad for parameter in model.parameters())
    assert {tensor.dtype for tensor in model.state_dict().values()} == {torch.float32}


def test_the_matrices_of_a_loaded_model_lie_column_by_column(checkpoint_folder: Path) -> None:
    matrices = [
        one for one in load_checkpoint(checkpoint_folder).model.parameters() if one.dim() > 1
    ]
    assert matrices
    assert all(matrix.T.is_contiguous() for matrix in matrices)


def test_saving_a_loaded_checkpoint_gives_the_same_files(
    checkpoint_folder: Path, tmp_path: Path
) -> None:
    loaded = load_checkpoint(checkpoint_folder)
    weights = loaded.model.state_dict()
    save_checkpoint(tmp_path / "b", loaded.model.config, weights, loaded.tokenizer, loaded.card)
    for path in checkpoint_folder.iterdir():
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()


def test_loading_does_not_wake_torchs_compiler(checkpoint_folder: Path) -> None:
    """It would cost the first visitor a second; a fresh process has not imported it."""
    program = (
        "import sys; from model import load_translator; load_translator(sys.argv[1]); "
        "sys.exit(bool({'torch._dynamo', 'sympy'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program, str(checkpoint_folder)]
    subprocess.run(command, cwd=Path(checkpoint.__file__).parents[2], check=True, timeout=120)


def test_a_folder_holds_four_files_and_no_pickle(checkpoint_folder: Path) -> None:
    names = ["card.json", "config.json", "model.safetensors", "tokenizer.model"]
    assert sorted(path.name for path in checkpoint_folder.iterdir()) == names


def test_a_checkpoint_is_found_by_name(
    checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "CHECKPOINTS", checkpoint_folder.parent)
    assert load_checkpoint("tiny").card["name"] == "tiny"
    with pytest.raises(ValueError, match="no checkpoint 'huge'; there are: tiny"):
        load_checkpoint("huge")


NAME = "decoder.layers.1.cross_attn.q.weight"


def _shorten(tensors: dict[str, Tensor]) -> None:
    tensors[NAME] = tensors[NAME][:-1].contiguous()


def _spoil(tensors: dict[str, Tensor]) -> None:
    tensors[NAME][3, 4] = torch.nan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tensors: tensors.pop(NAME), f"the tensor '{NAME}' is missing"),
        (lambda tensors: tensors.update(more=torch.ones(1)), "the tensor 'more' does not belong"),
        (_shorten, rf"the tensor '{NAME}' has the shape \(47, 48\), not \(48, 48\)"),
        (_spoil, f"the tensor '{NAME}' has values that are not finite"),
    ],
)
def test_a_wrong_tensor_is_named_with_its_file(
    folder: Path, change: Callable[[dict[str, Tensor]], object], message: str
) -> None:
    change_weights(folder, change)
    with pytest.raises(ValueError, match=rf"copy/model\.safetensors: {message}"):
        load_checkpoint(folder)


@pytest.mark.parametrize("dtype", [torch.float64, torch.int32, torch.bool, torch.float8_e4m3fn])
def test_a_tensor_of_another_dtype_is_refused(folder: Path, dtype: torch.dtype) -> None:
    change_weights(folder, lambda tensors: tensors.update({NAME: tensors[NAME].to(dtype)}))
    with pytest.raises(ValueError, match=f"the tensor '{NAME}' has the dtype .*, not one of F16"):
        load_checkpoint(folder)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_a_tensor_of_a_usual_dtype_is_read(folder: Path, dtype: torch.dtype) -> None:
    change_weights(folder, lambda tensors: tensors.update({NAME: tensors[NAME].to(dtype)}))
    assert load_checkpoint(folder).model.get_parameter(NAME).dtype == torch.float32


@pytest.mark.parametrize("name", ["config.json", "card.json"])
@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000, " " * 10_000_001])
def test_json_that_is_too_deep_or_too_long_is_refused(
    folder: Path, name: str, content: str
) -> None:
    (folder / name).write_text(content)
    with pytest.raises(ValueError, match=rf"copy/{name}: (nested too deep|longer than 10,000,000)"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("d_model", 10**12),
        ("max_length", 10**9),
        ("encoder_layers", 10**5),
        ("decoder_layers", 10**5),
        ("heads", 10**6),
        ("d_ff", 10**12),
        ("vocab_size", 10**30),
    ],
)
def test_an_absurd_size_is_refused_at_once(
    folder: Path, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_json(folder / "config.json", **{name: value})
    monkeypatch.delattr(checkpoint, "build")  # so no model is built, which would take for ever
    with pytest.raises(ValueError, match=rf"config\.json: {name} must be at most"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    "name", ["model.safetensors", "tokenizer.model", "config.json", "card.json"]
)
@pytest.mark.parametrize("damage", ["truncated", "empty", "gone"])
def test_a_damaged_or_missing_file_is_named(folder: Path, name: str, damage: str) -> None:
    path = folder / name
    content = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"")
    with pytest.raises(ValueError, match=f"copy/{name}"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"d_ff": 81}, r"model\.safetensors: the tensor 'decoder.* has the shape"),
        ({"encoder_layers": 3}, r"model\.safetensors: the tensor 'encoder\.layers\.2.* is missing"),
        ({"decoder_layers": 2}, r"the tensor 'decoder\.layers\.2.* does not belong to this model"),
        ({"vocab_size": 341}, r"tokenizer\.model: 340 pieces, but config\.json says 341"),
        ({"pad_id": 3}, r"tokenizer\.model: pad_id is 0, but config\.json says 3"),
        ({"heads": 5}, r"config\.json: d_model must be even and divisible by heads, not 48 / 5"),
        ({"depth": 6}, r"config\.json: config: missing or unknown sizes \['depth'\]"),
        ({"d_model": "48"}, r"config\.json: d_model must be an integer"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(
    folder: Path, values: dict[str, object], message: str
) -> None:
    change_json(folder / "config.json", **values)
    with pytest.raises(ValueError, match=message):
        load_checkpoint(folder)


def test_json_that_is_no_object_is_refused(folder: Path) -> None:
    (folder / "config.json").write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"config\.json: an object expected, found list"):
        load_checkpoint(folder)


def test_weights_that_are_not_those_of_the_card_are_refused(folder: Path) -> None:
    change_json(folder / "card.json", sha256="0" * 64)
    with pytest.raises(
        ValueError, match=r"model\.safetensors: the checksum is not the one in card"
    ):
        load_checkpoint(folder)


def test_the_tokenizer_of_another_checkpoint_is_refused(folder: Path, pairs: list[Pair]) -> None:
    (folder / "tokenizer.model").write_bytes(learn_tokenizer(pairs, 320).serialized)
    with pytest.raises(
        ValueError, match=r"tokenizer\.model: 320 pieces, but config\.json says 340"
    ):
        load_checkpoint(folder)


def test_a_tensor_in_a_pickle_is_not_read(folder: Path) -> None:
    torch.save({"weight": torch.ones(1)}, folder / "model.safetensors")
    with pytest.raises(ValueError, match=r"model\.safetensors"):
        load_checkpoint(folder)


@pytest.mark.parametrize("stage", ["open", "write", "fsync", "replace"])
def test_a_write_that_breaks_off_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        if stage == "fsync":
            patch.setattr("model.checkpoints.checkpoint.os.fsync", fail)
        elif stage == "write":
            patch.setattr(Path, "open", lambda path, _: _HalfFile(path))
        else:
            patch.setattr(Path, stage, fail)
        with pytest.raises(OSError, match="the disk is full"):
            write_whole(path, b"new content")
    assert path.read_bytes() == b"old"
    write_whole(path, b"new content")
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]


class _HalfFile:
    """A file on a disk that fills up half-way through the content."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> "_HalfFile":
        return self

    def __exit__(self, *_: object) -> None: ...

    def write(self, content: bytes) -> None:
        os.close(os.open(self.path, os.O_CREAT))
        os.truncate(self.path, len(content) // 2)
        raise OSError("the disk is full")
