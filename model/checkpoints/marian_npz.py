"""Models in Marian's own form: an .npz of weights and settings, and vocabularies in .yml.

They are read as Hugging Face's converter reads them, so a model is the same in both forms: its
padding is a row of zeros, and its positions have Hugging Face's angles instead of Marian's.
"""

import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.checkpoints.files import check_whole

SETTINGS, END, PAD = "special:model.yml", "</s>", "<pad>"
Arrays = dict[str, NDArray[Any]]
Vocabulary = tuple[Path, dict[str, int]]

_SIZES = {
    "dim-emb": ("d_model", "max_position_embeddings"),  # the converter creates this many positions
    "transformer-dim-ffn": ("encoder_ffn_dim", "decoder_ffn_dim"),
    "transformer-heads": ("encoder_attention_heads", "decoder_attention_heads"),
    "enc-depth": ("encoder_layers",),
    "dec-depth": ("decoder_layers",),
    "transformer-ffn-activation": ("activation_function",),
}
_USUAL = {
    "type": "transformer",
    "transformer-preprocess": "",
    "transformer-postprocess": "dan",
    "transformer-postprocess-emb": "d",
    "transformer-decoder-autoreg": "self-attention",
    "transformer-train-position-embeddings": "false",
    "right-left": "false",
}
_ENDS = {
    "Wemb": "model.shared.weight",
    "encoder_Wemb": "model.encoder.embed_tokens.weight",
    "decoder_Wemb": "model.decoder.embed_tokens.weight",
    "decoder_ff_logit_out_W": "lm_head.weight",
    "decoder_ff_logit_out_b": "final_logits_bias",
}
_LAYER = re.compile(
    r"(encoder|decoder)_l(\d+)_(self|context|ffn)_(?:(W|b)([qkvo12])|(?:Wo|ffn)_ln_(scale|bias))"
)
_BLOCKS = {"self": "self_attn", "context": "encoder_attn", "ffn": "final"}
_KINDS = {"W": "weight", "b": "bias", "scale": "weight", "bias": "bias"}
_FAULTS = (OSError, ValueError, EOFError, TypeError, RuntimeError, MemoryError, zlib.error)


def read_npz(folder: Path) -> tuple[Path, dict[str, Any], dict[str, Tensor], list[Vocabulary]]:
    """Return the file, its settings, its tensors by Hugging Face's names, and the ids of each side.

    The vocabulary is *vocab.yml, or *src.vocab.yml and *trg.vocab.yml where each side has its own.
    Raises ValueError, naming the file, when a file is damaged or the model is of an unusual kind.
    """
    path = _only(folder, "*.npz")
    check_whole(path)
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays: Arrays = {name: file[name] for name in file.files}
        if SETTINGS not in arrays:
            raise ValueError(f"there is no {SETTINGS!r} in it")
        values = _values(arrays.pop(SETTINGS).tobytes().decode(errors="replace"), arrays)
        tensors = {_name(name): _tensor(name, arrays.pop(name)) for name in list(arrays)}
    except (*_FAULTS, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: {str(error).strip().splitlines()[0]}") from error
    shared = values["share_encoder_decoder_embeddings"]
    names = ("*vocab.yml",) * 2 if shared else ("*src.vocab.yml", "*trg.vocab.yml")
    ids = [
        (vocabulary_path, _vocabulary(vocabulary_path))
        for vocabulary_path in (_only(folder, name) for name in names)
    ]
    return path, values | {"eos_token_id": ids[0][1][END]}, tensors, ids


def _only(folder: Path, name: str) -> Path:
    names = sorted(path.name for path in folder.glob(name))
    if len(names) != 1:
        raise ValueError(f"{folder}: one file {name} expected, found {', '.join(names) or 'none'}")
    return folder / names[0]


def _values(text: str, arrays: Arrays) -> dict[str, Any]:
    """Read the settings that config.json has too, from flat lines of YAML."""
    lines = re.findall(r"^([\w-]+):[ \t]*(.*?)\s*$", text, re.MULTILINE)
    settings = {name: value.strip("\"'") for name, value in lines}
    for name, usual in _USUAL.items():
        if (setting := settings.get(name, usual)) != usual:
            raise ValueError(f"{name} must be {usual!r}, found {setting!r}")
    values: dict[str, Any] = {"model_type": "marian", "scale_embedding": True}
    for name, theirs in _SIZES.items():
        setting = settings.get(name, "")
        values |= dict.fromkeys(theirs, int(setting) if setting.isdecimal() else setting)
    embeddings = [array for name, array in arrays.items() if name.endswith("Wemb") and array.ndim]
    sizes = sorted({len(array) + 1 for array in embeddings})
    if len(sizes) != 1:
        raise ValueError(f"embeddings of one number of pieces expected, found {sizes or 'none'}")
    return values | {
        **dict.fromkeys(("pad_token_id", "decoder_start_token_id"), sizes[0] - 1),
        "vocab_size": sizes[0],
        "share_encoder_decoder_embeddings": "Wemb" in arrays,
        "tie_word_embeddings": "decoder_ff_logit_out_W" not in arrays,
    }


def _name(name: str) -> str:
    """Return Hugging Face's name of a tensor, or its own name if there is none."""
    if not (layer := _LAYER.fullmatch(name)):
        return _ENDS.get(name, name)
    stack, number, block, matrix, letter, norm = layer.groups()
    if norm:
        rest = f"{_BLOCKS[block]}_layer_norm.{_KINDS[norm]}"
    elif block == "ffn":
        rest = f"fc{letter}.{_KINDS[matrix]}"
    else:
        rest = f"{_BLOCKS[block]}.{letter.replace('o', 'out')}_proj.{_KINDS[matrix]}"
    return f"model.{stack}.layers.{int(number) - 1}.{rest}"


def _tensor(name: str, array: NDArray[Any]) -> Tensor:
    """Transpose a matrix, as Marian multiplies from the left; add padding's row of zeros."""
    if array.ndim != 2 or array.dtype not in (np.float16, np.float32):
        form = f"{array.dtype} {array.shape}"
        raise ValueError(f"{name!r} must be a matrix of float16 or float32, found {form}")
    if name in _ENDS:
        array = np.pad(array, ((0, 1), (0, 0)) if name.endswith("Wemb") else ((0, 0), (0, 1)))
    turned = re.search(r"_W[qkvo12]?$", name)
    return torch.from_numpy(np.ascontiguousarray(array.T) if turned else array)


def _vocabulary(path: Path) -> dict[str, int]:
    """Read one `piece: id` from each line, and give padding the next id."""
    ids: dict[str, int] = {}
    content = path.read_bytes().decode(errors="replace")
    for number, line in enumerate(content.split("\n"), start=1):
        piece, _mark, id_ = line.rpartition(": ")
        if piece and id_.strip().isdecimal():
            ids[_plain(piece.rstrip())] = int(id_)
        elif line.strip() not in ("", "---"):
            raise ValueError(f"{path}: `piece: id` expected in line {number}, found {line[:40]!r}")
    if END not in ids:
        raise ValueError(f"{path}: the piece {END!r} is missing")
    return {PAD: len(ids)} | ids


def _plain(piece: str) -> str:
    """Read a YAML string: plain, or in single or double quotes."""
    if len(piece) > 1 and piece[0] == piece[-1] == "'":
        return piece[1:-1].replace("''", "'")
    if len(piece) > 1 and piece[0] == piece[-1] == '"':
        return piece[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
    return piece
