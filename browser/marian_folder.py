"""A folder of a Marian model with random weights, as Hugging Face would store it."""

import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import sentencepiece
import torch
from safetensors.torch import save_file

from model.checkpoints.marian import marian_config
from model.checkpoints.marian_weights import aliases_of
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer

SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "I arrived at the bank after crossing the river.",
    "The quick brown fox jumps over the lazy dog.",
    "We saw the small animals near the old bridge this morning.",
)
TRANSLATIONS = (
    "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
    "Je suis arrivé à la banque après avoir traversé la rivière.",
    "Le rapide renard brun saute par-dessus le chien paresseux.",
    "Nous avons vu les petits animaux près du vieux pont ce matin.",
)
TINY: dict[str, int | bool | str] = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
}
"""Sizes of a model that only has to open."""

LANGUAGES = (">>fra<<", ">>cmn_Hans<<")
END, UNKNOWN, PAD = "</s>", "<unk>", "<pad>"


def sentencepiece_model(texts: Iterable[str], pieces: int = 90) -> bytes:
    """Train a SentencePiece model on texts, as many times as it takes to be one."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter([text for text in texts for _again in range(3)]),
        model_writer=written,
        vocab_size=pieces,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return written.getvalue()


def pieces_of(*models: bytes) -> list[str]:
    """List the pieces of SentencePiece models, each once."""
    found: dict[str, None] = {}
    for model in models:
        processor = sentencepiece.SentencePieceProcessor()
        processor.LoadFromSerializedProto(model)
        found |= dict.fromkeys(processor.IdToPiece(id_) for id_ in range(len(processor)))
    return [piece for piece in found if piece not in ("<s>", END, UNKNOWN)]


def vocabulary(pieces: Sequence[str], size: int = 0, pad: int | None = None) -> dict[str, int]:
    """Give pieces their ids: end first, padding last or at `pad`, filled up to a size."""
    names = [END, UNKNOWN, *LANGUAGES, *pieces]
    names += [f"unused{number}" for number in range(size - len(names) - 1)]
    names.insert(len(names) if pad is None else pad, PAD)
    return {name: id_ for id_, name in enumerate(names)}


def write_pieces(folder: Path, size: int = 0, separate: bool = False) -> tuple[int, int]:
    """Write both SentencePiece models and the vocabulary; return how many pieces the sides have.

    With separate vocabularies padding has one id in both: the last one of the smaller.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source, target = sentencepiece_model(SENTENCES), sentencepiece_model(TRANSLATIONS)
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    both = {"vocab.json": pieces_of(source, target)}
    if separate:
        both = {"vocab.json": pieces_of(source), "target_vocab.json": pieces_of(target)}
    sizes: list[int] = []
    pad = min(len(vocabulary(pieces, size)) for pieces in both.values()) - 1
    for name, pieces in both.items():
        ids = vocabulary(pieces, size, pad)
        (folder / name).write_text(json.dumps(ids), encoding="utf-8")
        sizes.append(len(ids))
    return sizes[0], sizes[-1]


def write_marian(folder: Path, config: dict[str, int | bool | str], size: int = 0) -> Path:
    """Write a whole folder of random weights in half precision; `config` has its sizes."""
    separate = not config.get("share_encoder_decoder_embeddings", True)
    source, target = write_pieces(folder, size, separate)
    pad = min(source, target) - 1
    values = {
        "model_type": "marian",
        "activation_function": "swish",
        "scale_embedding": True,
        "max_position_embeddings": 512,
        "vocab_size": source,
        "decoder_vocab_size": target,
        "pad_token_id": pad,
        "decoder_start_token_id": pad,
        "eos_token_id": 0,
        "bad_words_ids": [[pad]],
        "share_encoder_decoder_embeddings": True,
        **config,
    }
    (folder / "config.json").write_text(json.dumps(values), encoding="utf-8")
    ours = marian_config(values, biased=True)
    torch.manual_seed(1)
    model = Transformer(ours).requires_grad_(False)
    if model.output_bias is not None:
        model.output_bias.normal_()
    weights = _in_their_names(model, ours)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def _in_their_names(model: Transformer, config: ModelConfig) -> dict[str, torch.Tensor]:
    weights: dict[str, torch.Tensor] = {}
    for name, tensor in model.state_dict().items():
        row = tensor[None] if name == "output_bias" else tensor
        weights[aliases_of(name, config)[0]] = row.half().contiguous()
    return weights
