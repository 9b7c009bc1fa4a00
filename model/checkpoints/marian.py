"""Marian models as Hugging Face stores them: OPUS-MT and models of the same kind.

A folder has config.json, model.safetensors or pytorch_model.bin, source.spm, target.spm and
vocab.json. It has target_vocab.json where the target has its own pieces, and added_tokens.json
where somebody added tokens; the embeddings may be padded to a round number. Newer folders have
generation_config.json with the ids that a translation begins and ends with. Marian's own code
differs from Hugging Face's in two ways. This module follows Hugging Face, also for models that
Marian wrote (`marian_npz`): positions have the paper's angles (Marian divides by d_model / 2 - 1
instead of d_model / 2), and LayerNorm adds 1e-5.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from model.checkpoints.files import check_whole, missing, read_json
from model.checkpoints.marian_npz import read_npz
from model.checkpoints.marian_sides import check_sides
from model.checkpoints.marian_weights import (
    BIAS,
    apart,
    stored_tensors,
    translated_weights,
    weights_file,
    with_whole_bias,
)
from model.marian_tokenizer import MarianTokenizer, check_vocabulary
from model.transformer.config import Activation, ModelConfig, Variant
from model.transformer.transformer import Transformer

CONFIG, VOCABULARY, TARGET_VOCABULARY = "config.json", "vocab.json", "target_vocab.json"
ADDED = "added_tokens.json"
"""The file of tokens that somebody has added to a model; their ids follow all others."""

LEAST_KNOWN = 0.5
"""The smallest share of SentencePiece's pieces that a vocabulary of the same model has."""

PADDED_TO = (8, 16, 32, 64, 128)
"""Fine-tuning may round the number of embeddings up to a multiple of these."""

GENERATION, BEGIN = "generation_config.json", "decoder_start_token_id"
ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "swish": "swish",
    "silu": "swish",
    "gelu": "gelu",
}
"""The activations that the model computes, by the names in config.json."""

# Settings of other architectures in older files, with their values in a Marian model.
_USUAL = {
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
    "static_position_embeddings": True,
    "is_encoder_decoder": True,
}


def load_marian(
    folder: Path, values: Mapping[str, Any] | None
) -> tuple[Transformer, MarianTokenizer, MarianTokenizer]:
    """Load a folder's model and its source and target tokenizers; `values` are its config.json.

    A folder in Marian's own form has no values.

    The model is on the CPU in float32. Raises ValueError, naming the file and the tensor where
    there is one, when anything is missing, damaged, not from Marian, or more than weights.
    """
    if values is None:
        named_file, values, stored, ids = read_npz(folder)
        path = named_file
    else:
        named_file, path = folder / CONFIG, weights_file(folder)
        stored, ids = stored_tensors(path), None
        values = {"share_encoder_decoder_embeddings": True, **_generating(folder), **values}
        if not values.get("tie_word_embeddings", True):
            stored, shared = apart(stored)
            values["share_encoder_decoder_embeddings"] &= shared
    with _naming(named_file):
        config = marian_config(values, biased=BIAS in stored)
    added = read_json(folder / ADDED) if (folder / ADDED).exists() else {}
    ids = ids or _vocabularies(folder, added)
    source = _tokenizer(named_file, "source", *ids[0], config, tuple(added))
    target = _tokenizer(named_file, "target", *ids[1], config, tuple(added))
    with torch.device("meta"):
        model = Transformer(config)
    stored = with_whole_bias(stored, config.target_vocab_size, max(PADDED_TO) + len(added))
    with _naming(path):
        model.load_state_dict(translated_weights(stored, config, model.state_dict()), assign=True)
    model.reset_positions()
    if ids[0][0] == ids[1][0]:
        with _naming(folder):
            check_sides(model, source, target)
    return model, source, target


def marian_config(values: Mapping[str, Any], biased: bool) -> ModelConfig:
    """Read Hugging Face's config; ValueError when it does not describe an ordinary Marian model."""
    if values.get("model_type") != "marian":
        raise ValueError(f"a model of type 'marian' expected, found {values.get('model_type')!r}")
    for name, usual in _USUAL.items():
        if values.get(name, usual) != usual:
            raise ValueError(f"{name} must be {usual}, found {values[name]!r}")
    for part in ("ffn_dim", "attention_heads"):
        sides = _value(values, f"encoder_{part}"), _value(values, f"decoder_{part}")
        if sides[0] != sides[1]:
            raise ValueError(f"encoder_{part} and decoder_{part} must be equal, found {sides}")
    activation = values.get("activation_function", "gelu")
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        known = ", ".join(ACTIVATIONS)
        raise ValueError(f"activation_function must be one of {known}, found {activation!r}")
    pieces = _value(values, "vocab_size")
    shared = values.get("share_encoder_decoder_embeddings", True)
    variant = Variant(
        activation=ACTIVATIONS[activation],
        layout="two halves",
        scaled=bool(values.get("scale_embedding", False)),
        target_pieces=None if shared else (values.get("decoder_vocab_size") or pieces),
        tied=bool(values.get("tie_word_embeddings", True)),
        biased=biased,
    )
    return ModelConfig(
        vocab_size=pieces,
        d_model=_value(values, "d_model"),
        heads=_value(values, "encoder_attention_heads"),
        d_ff=_value(values, "encoder_ffn_dim"),
        encoder_layers=_value(values, "encoder_layers"),
        decoder_layers=_value(values, "decoder_layers"),
        max_length=_value(values, "max_position_embeddings"),
        pad_id=_value(values, "pad_token_id"),
        begin_id=_value(values, BEGIN),
        end_id=_value(values, "eos_token_id"),
        variant=variant,
    )


def _value(values: Mapping[str, Any], name: str) -> int:
    if name not in values:
        raise ValueError(f"{name} is missing")
    return values[name]


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put the file's name into every ValueError."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _generating(folder: Path) -> dict[str, Any]:
    """Return the special ids of generation_config.json that config.json leaves out."""
    path = folder / GENERATION
    values = read_json(path) if path.exists() else {}
    return {
        name: values[name] for name in (BEGIN, "eos_token_id", "pad_token_id") if name in values
    }


def _vocabularies(folder: Path, added: Mapping[str, int]) -> list[tuple[Path, dict[str, int]]]:
    both = folder / VOCABULARY, folder / TARGET_VOCABULARY
    source, target = both if both[1].exists() else (both[0], both[0])
    return [(path, {**read_json(path), **added}) for path in (source, target)]


def _padded(vocabulary: Mapping[str, int], pieces: int, said: str) -> dict[str, int]:
    """Name the embeddings without a piece, if their number was rounded up; else ValueError."""
    known = len(vocabulary)
    if pieces not in (known, *(known + -known % multiple for multiple in PADDED_TO)):
        raise ValueError(f"{known} pieces, but {said} says {pieces}")
    return {**vocabulary, **{f"<unused {id_}>": id_ for id_ in range(known, pieces)}}


def _tokenizer(
    named_file: Path,
    side: str,
    path: Path,
    vocabulary: Mapping[str, int],
    config: ModelConfig,
    added: Sequence[str],
) -> MarianTokenizer:
    pieces = config.vocab_size if side == "source" else config.target_vocab_size
    with _naming(path):
        check_vocabulary(vocabulary)
        vocabulary = _padded(vocabulary, pieces, named_file.name)
    spm, ids = named_file.with_name(f"{side}.spm"), (config.pad_id, config.begin_id, config.end_id)
    check_whole(spm)
    try:
        tokenizer = MarianTokenizer(spm.read_bytes(), vocabulary, *ids, added)
        known, every = tokenizer.known_pieces
        if known < LEAST_KNOWN * every:
            belong = "do the files belong together?"
            raise ValueError(f"{known:,} of its {every:,} pieces are in {path.name}: {belong}")
        return tokenizer
    except FileNotFoundError:
        raise missing(spm) from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{spm}: {error}") from error
