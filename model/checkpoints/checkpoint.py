"""A checkpoint is a folder: config.json, model.safetensors, tokenizer.model and card.json.

A `tokenizer` in config.json names another folder whose tokenizer.model is used instead.

Marian models can be opened too, in Hugging Face's form or their own: `model.checkpoints.marian`.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from errno import ENOENT
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from model.checkpoints.card import CARD, read_card
from model.checkpoints.files import check_whole, read_json
from model.checkpoints.hub import advice
from model.checkpoints.marian import load_marian
from model.checkpoints.marian_weights import weights_file
from model.families import Config, Network, build, read_config
from model.home import HOME
from model.recurrent.recurrent import Recurrent
from model.tokenizer import Tokenizer

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.model"
BORROWED = "tokenizer"
"""The name in config.json of another folder whose tokenizer a model uses."""

DTYPES = ("F16", "BF16", "F32")
"""The types of stored weights, by safetensors' names; the model computes in float32."""

CHECKPOINTS = HOME / "checkpoints"

LONGEST_NAME = 1_000
"""The most letters of a name or a path; systems allow a few more in a path, and 255 in a name."""


@dataclass(frozen=True)
class Checkpoint:
    """A loaded checkpoint; the model is in evaluation mode and in float32.

    `tokenizer` cuts the source, and also the target unless the target has its own tokenizer. The
    card is empty if the folder has none.
    """

    folder: Path
    model: Network
    tokenizer: Tokenizer
    card: dict[str, Any]
    target_tokenizer: Tokenizer | None = None


def load_checkpoint(name: str | Path) -> Checkpoint:
    """Load a folder under checkpoints/ by its name, or any folder by its path.

    The check is strict. ValueError names the file, and the tensor where there is one, when a file
    is missing or damaged; when a tensor is missing, extra, of another shape or not a 16 or 32 bit
    floating point number; or when the parts do not fit together.
    """
    folder = _folder(name)
    _check_model(folder)
    values = None if holds_npz(folder) else read_json(folder / CONFIG)
    if values is None or "model_type" in values:
        model, source, target = load_marian(folder, values)
        return Checkpoint(folder, _at_rest(model), source, {}, target)
    borrowed = values.pop(BORROWED, None)
    config = _config(folder / CONFIG, values)
    words = words_folder(config, folder.parent) or folder
    pieces = words if borrowed is None else _beside(folder.parent, _named(folder, borrowed))
    tokenizer = _tokenizer(pieces, config)
    with torch.device("meta"):
        model = build(config)
    weights = read_weights(folder / WEIGHTS, model.state_dict())
    model.load_state_dict(weights, assign=True)
    card = _checked_card(folder)
    if isinstance(model, Recurrent):
        model.share(shared_embedding(words, card.get("embedding_sha256")))
    else:
        model.reset_positions()
    return Checkpoint(folder, _at_rest(model), tokenizer, card)


def _named(folder: Path, borrowed: object) -> str:
    if not isinstance(borrowed, str) or not borrowed:
        raise ValueError(f"{folder / CONFIG}: {BORROWED} must name a folder, not be {borrowed!r}")
    return borrowed


def _tokenizer(folder: Path, config: Config) -> Tokenizer:
    """Load the tokenizer of a folder; ValueError when it does not fit the config."""
    path = folder / TOKENIZER
    check_whole(path)
    tokenizer = Tokenizer.from_file(path)
    if len(tokenizer) != config.vocab_size:
        raise ValueError(f"{path}: {len(tokenizer)} pieces, but {CONFIG} says {config.vocab_size}")
    for name in ("pad_id", "begin_id", "end_id"):
        in_tokenizer, in_config = getattr(tokenizer, name), getattr(config, name)
        if in_tokenizer != in_config:
            raise ValueError(f"{path}: {name} is {in_tokenizer}, but {CONFIG} says {in_config}")
    return tokenizer


def _at_rest(model: Network) -> Network:
    """Put a model in evaluation mode and lay out its matrices for decoding one row at a time.

    Each step of a decode reads all the weights. Stored column by column, they are read a sixth
    faster (`python -m benchmarks.decode`).
    """
    model.eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.data = by_columns(parameter.data)
    return model


def by_columns(tensor: Tensor) -> Tensor:
    """Return the same tensor; a matrix is stored in memory column by column."""
    return tensor.T.contiguous().T if tensor.dim() == 2 else tensor


def holds_npz(folder: Path) -> bool:
    """Return True if a folder holds a model in Marian's own form: weights and no config.json."""
    return not (folder / CONFIG).exists() and any(folder.glob("*.npz"))


def stored_in(folder: Path) -> Path:
    """Return the weights file of a model's folder; ValueError when there is none."""
    return next(folder.glob("*.npz")) if holds_npz(folder) else weights_file(folder)


def words_folder(config: Config, beside: Path = CHECKPOINTS) -> Path | None:
    """Return the folder whose tokenizer and embedding a model uses; None if it has its own.

    It is a neighbour of the model's own folder, or a folder under checkpoints/.
    """
    return None if config.embedding is None else _beside(beside, config.embedding)


def _beside(parent: Path, name: str) -> Path:
    near = parent / name
    return _folder(near if near.is_dir() else name)


def shared_embedding(words: Path, checksum: str | None = None) -> Tensor:
    """Read the embedding (V, D) of another checkpoint; ValueError when it has changed since.

    All models that use it get the same tensor.
    """
    path = words / WEIGHTS
    try:
        embedding, actual = _embedding(path, path.stat().st_mtime_ns)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path}: {error}") from error
    if checksum is not None and checksum != actual:
        raise ValueError(f"{path}: not the embedding that this model was trained with")
    return embedding


@lru_cache(maxsize=1)
def _embedding(path: Path, _written: int) -> tuple[Tensor, str]:
    with safe_open(path, framework="pt") as file:
        embedding = by_columns(file.get_tensor("embedding.weight").float())  # V D
    return embedding, embedding_checksum(embedding)


def embedding_checksum(embedding: Tensor) -> str:
    """Return the checksum of an embedding (V, D) in half precision, as a checkpoint stores it."""
    return hashlib.sha256(embedding.half().numpy().tobytes()).hexdigest()


def save_checkpoint(
    folder: Path,
    config: Config,
    weights: dict[str, Tensor],
    tokenizer: Tokenizer,
    card: dict[str, Any],
) -> None:
    """Write a checkpoint with weights in half precision; add the weights' checksum to the card."""
    folder.mkdir(parents=True, exist_ok=True)
    serialized = save({name: tensor.half().contiguous() for name, tensor in weights.items()})
    card = {**card, "sha256": hashlib.sha256(serialized).hexdigest()}
    write_whole(folder / WEIGHTS, serialized)
    if config.embedding is None:
        write_whole(folder / TOKENIZER, tokenizer.serialized)
    write_whole(folder / CONFIG, _json(config.to_dict()))
    write_whole(folder / CARD, _json(card))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader, even after a crash, sees the old or the new content whole."""
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, "there is no such folder", str(path.parent))
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _json(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode()


def _folder(name: str | Path) -> Path:
    if not isinstance(name, str | Path):
        raise ValueError(f"the name or the path of a folder expected, not {name!r}")
    shown_name = str(name)
    if len(shown_name) > LONGEST_NAME:
        raise ValueError(
            f"no checkpoint has a name of {len(shown_name):,} letters: {shown_name[:20]}..."
        )
    folder = find_folder(name)
    if hint := advice(folder):
        raise ValueError(f"no checkpoint {shown_name!r}: {hint}")
    if folder.is_file():
        raise ValueError(
            f"no checkpoint {shown_name!r}: it is a file; give its folder, {folder.parent}"
        )
    if not shown_name or not folder.is_dir():
        known = sorted(path.name for path in CHECKPOINTS.glob("*/"))
        raise ValueError(f"no checkpoint {shown_name!r}; there are: {', '.join(known) or 'none'}")
    return folder


def _check_model(folder: Path) -> None:
    """Raise ValueError when a folder holds no model; it says what is there, or where models are."""
    if (folder / CONFIG).is_file() or holds_npz(folder):
        return
    below = sorted(path.parent.name for path in folder.glob(f"*/{CONFIG}"))
    held = sorted(path.name for path in folder.iterdir())
    held_names = f"models are in {_few(below)} below it" if below else f"found: {_few(held)}"
    raise ValueError(f"{folder / CONFIG}: a model's folder has it, and weights; {held_names}")


def _few(names: Sequence[str]) -> str:
    """List the first names, and the number of the rest."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more or "nothing"


def find_folder(name: str | Path, shipped: Path | None = None) -> Path:
    """Return the folder of a name under checkpoints/ or `shipped`; else take the name as a path."""
    folder = (shipped or CHECKPOINTS) / name
    return folder if str(name) not in ("", ".", "..") and folder.is_dir() else Path(name)


def _config(path: Path, values: dict[str, Any]) -> Config:
    try:
        return read_config(values)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _checked_card(folder: Path) -> dict[str, Any]:
    """Read the card and compare its checksum with the weights."""
    card = read_card(folder)
    with (folder / WEIGHTS).open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if card.get("sha256") != checksum:
        raise ValueError(f"{folder / WEIGHTS}: the checksum is not the one in {CARD}")
    return card


def read_weights(path: Path, expected: dict[str, Tensor]) -> dict[str, Tensor]:
    """Read a file of weights, in float32, after checking its names, shapes and dtypes.

    Raises ValueError, naming the file and the tensor where there is one, when they are wrong.
    """
    check_whole(path)
    try:
        with safe_open(path, framework="pt") as file:
            _check_tensors(path, file, expected)
            weights = {name: file.get_tensor(name).float() for name in expected}
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path}: {error}") from error
    for name, tensor in weights.items():
        if not bool(tensor.isfinite().all()):
            raise ValueError(f"{path}: the tensor {name!r} has values that are not finite")
    return weights


def _check_tensors(path: Path, file: safe_open, expected: dict[str, Tensor]) -> None:
    """Compare the header of a weights file with the expected tensors; no tensor is read."""
    names = set(file.keys())
    for name in sorted(expected.keys() - names):
        raise ValueError(f"{path}: the tensor {name!r} is missing")
    for name in sorted(names - expected.keys()):
        raise ValueError(f"{path}: the tensor {name!r} does not belong to this model")
    for name, tensor in sorted(expected.items()):
        entry = file.get_slice(name)
        shape, dtype = tuple(entry.get_shape()), entry.get_dtype()
        if shape != tuple(tensor.shape):
            raise ValueError(
                f"{path}: the tensor {name!r} has the shape {shape}, not {tuple(tensor.shape)}"
            )
        if dtype not in DTYPES:
            raise ValueError(
                f"{path}: the tensor {name!r} has the dtype {dtype}, not one of {', '.join(DTYPES)}"
            )
