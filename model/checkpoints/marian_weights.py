"""The weights of a Marian model, by Hugging Face's names and by the Transformer's."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from model.checkpoints.files import check_whole, missing, read_json
from model.transformer.config import ModelConfig
from model.transformer.positional import sinusoidal_positions

PARTS = "model.safetensors.index.json"
"""The index of weights that are stored in several files: a file for each tensor."""

WEIGHTS = ("model.safetensors", PARTS, "pytorch_model.bin")
FLOATS = (torch.float16, torch.bfloat16, torch.float32)

_POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
_SHARED, _ENCODER, _DECODER, _HEAD, BIAS = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
    "final_logits_bias",
)
_MODULES = {
    "self_attn": "self_attn",
    "cross_attn": "encoder_attn",
    "ffn.hidden": "fc1",
    "ffn.out": "fc2",
    "norm1": "self_attn_layer_norm",
    "encoder norm2": "final_layer_norm",
    "decoder norm2": "encoder_attn_layer_norm",
    "decoder norm3": "final_layer_norm",
}


def weights_file(folder: Path) -> Path:
    """Return the weights file; ValueError when there is none."""
    for name in WEIGHTS:
        if (folder / name).is_file():
            return folder / name
        if (folder / name).is_symlink():
            raise missing(folder / name)
    raise ValueError(f"{folder}: {' or '.join(WEIGHTS)} expected, found none of them")


def stored_tensors(path: Path) -> Mapping[str, Tensor]:
    """Map the tensors of a file into memory; a tensor that is not read costs no memory.

    Raises ValueError, naming the file, when it is damaged or holds anything but tensors.
    """
    if path.name == PARTS:
        return _in_parts(path)
    check_whole(path)
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, framework="pt") as file:
                return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return _unpickled(path)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path}: {error}") from error


def apart(stored: Mapping[str, Tensor]) -> tuple[Mapping[str, Tensor], bool]:
    """Leave out the embedding that a model with an output of its own stores but does not use.

    transformers 5 stores a shared embedding beside those of encoder and decoder, which then count.
    Returns the other tensors, and whether both sides still have one embedding.
    """
    if not {_ENCODER, _DECODER} <= stored.keys():
        return stored, True
    others = {name: tensor for name, tensor in stored.items() if name != _SHARED}
    return others, torch.equal(stored[_ENCODER], stored[_DECODER])


def with_whole_bias(stored: Mapping[str, Tensor], pieces: int, most: int) -> Mapping[str, Tensor]:
    """Give the output a bias of zero for up to `most` pieces at its end that have none.

    transformers does the same when tokens are added; some versions leave the padding out.
    """
    bias = stored.get(BIAS)
    missing = 0 if bias is None or not bias.dim() else pieces - bias.size(-1)
    if bias is None or not 0 < missing <= most:
        return stored
    return {**stored, BIAS: nn.functional.pad(bias, (0, missing))}


def _in_parts(index: Path) -> Mapping[str, Tensor]:
    """Read all files that an index names; each lies beside it."""
    of_tensors = read_json(index).get("weight_map")
    if not isinstance(of_tensors, dict) or not of_tensors:
        raise ValueError(f"{index}: weight_map must name the file of every tensor")
    tensors: dict[str, Tensor] = {}
    for name in sorted({str(part) for part in of_tensors.values()}):
        if not re.fullmatch(r"[\w.-]+\.safetensors", name):
            raise ValueError(f"{index}: {name!r} is no file of safetensors beside it")
        tensors |= stored_tensors(index.with_name(name))
    return tensors


def _unpickled(path: Path) -> Mapping[str, Tensor]:
    """Read a pickle that holds only tensors; torch runs no other code in it."""
    try:
        # Files older than torch 1.6 are not archives, and cannot be mapped.
        mapped = zipfile.is_zipfile(path)
        content = torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
    except OSError:
        raise
    except Exception as error:  # a file that is not a pickle fails with any error
        # torch's own message goes on to explain how to switch this check off.
        refused = re.search(r"GLOBAL ([\w.]+)", str(error))
        content = (
            f"it asks for {refused[1]}" if refused else "it is damaged, or holds something else"
        )
        raise ValueError(f"{path}: tensors and nothing else expected; {content}") from error
    if not isinstance(content, dict) or not all(isinstance(x, Tensor) for x in content.values()):
        raise ValueError(f"{path}: tensors by their names expected")
    return content


def translated_weights(
    stored: Mapping[str, Tensor], config: ModelConfig, expected: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Return the tensors by the model's own names; ValueError names a tensor that is wrong."""
    weights: dict[str, Tensor] = {}
    used: set[str] = set()
    for name, tensor in expected.items():
        aliases = aliases_of(name, config)
        used.update(aliases)
        weights[name] = _tensor(stored, aliases, tensor)
    for name in _POSITIONS:
        if name in stored:
            _check_positions(name, stored[name], config)
    for name in sorted(stored.keys() - used - set(_POSITIONS)):
        raise ValueError(f"the tensor {name!r} does not belong to this model")
    return weights


def _tensor(stored: Mapping[str, Tensor], aliases: tuple[str, ...], like: Tensor) -> Tensor:
    """Return a tensor in float32; it may be stored under several names if all are equal."""
    present = [name for name in aliases if name in stored]
    if not present:
        raise ValueError(f"the tensor {' or '.join(map(repr, aliases))} is missing")
    for name in present:
        _check(name, stored[name], tuple(like.shape))
    first = stored[present[0]]
    for name in present[1:]:
        if first.data_ptr() != stored[name].data_ptr() and not torch.equal(first, stored[name]):
            raise ValueError(f"{present[0]!r} and {name!r} must be one tensor, but they differ")
    if not bool(first.isfinite().all()):
        raise ValueError(f"the tensor {present[0]!r} has values that are not finite")
    return first.float().reshape(like.shape)


def _check(name: str, tensor: Tensor, shape: tuple[int, ...]) -> None:
    """Check the shape of a stored tensor; the output's bias is stored as a row."""
    stored_shape = tuple(tensor.shape)
    if stored_shape not in (shape, (1, *shape)):
        raise ValueError(f"the tensor {name!r} has the shape {stored_shape}, not {shape}")
    if tensor.dtype not in FLOATS:
        known = ", ".join(str(dtype).removeprefix("torch.") for dtype in FLOATS)
        raise ValueError(f"the tensor {name!r} has the dtype {tensor.dtype}, not one of {known}")


def aliases_of(name: str, config: ModelConfig) -> tuple[str, ...]:
    """List the names under which Hugging Face stores one of our tensors."""
    shared = config.variant.target_pieces is None
    head = (_HEAD,) if config.variant.tied else ()
    ends = {
        "embedding.weight": (_SHARED, _ENCODER, *((_DECODER, *head) if shared else ())),
        "decoder_embedding": (_DECODER, *head),
        "output_matrix": (_HEAD,),
        "output_bias": (BIAS,),
    }
    if name in ends:
        return ends[name]
    stack, _layers, number, rest = name.split(".", 3)
    module, kind = rest.rsplit(".", 1)
    sublayer, _, projection = module.partition(".")
    if sublayer in ("self_attn", "cross_attn"):
        theirs = f"{_MODULES[sublayer]}.{projection}_proj"
    else:
        theirs = _MODULES.get(module) or _MODULES[f"{stack} {module}"]
    return (f"model.{stack}.layers.{number}.{theirs}.{kind}",)


def _check_positions(name: str, table: Tensor, config: ModelConfig) -> None:
    """Refuse learned positions: the model computes sinusoids."""
    size = config.max_length, config.d_model
    if tuple(table.shape) != size:
        raise ValueError(f"the tensor {name!r} has the shape {tuple(table.shape)}, not {size}")
    sinusoids = sinusoidal_positions(*size, layout=config.variant.layout)
    if not torch.allclose(table.float(), sinusoids, atol=2e-3):
        raise ValueError(f"the tensor {name!r} holds other positions than the sinusoids")
