"""Marian folders, held against transformers: the same numbers for the same ids."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch

from model.decoding.beam import Beam
from model.translator import Translator, load_translator
from tests.fixtures.marian_folder import SENTENCES, TRANSLATIONS, write_pieces
from tests.model.alike import assert_recorded_alike

# It would mend punctuation before the cut, with another package; the cut is what is compared.
pytestmark = pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")

SMALL = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "max_position_embeddings": 96,
    "activation_function": "swish",
    "scale_embedding": True,
    "init_std": 0.3,
}


@dataclass(frozen=True)
class Shape:
    """One randomly initialised model; `values` are what its config has besides `SMALL`."""

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    half: bool = False
    pickled: bool = False
    bias: bool = True
    tuned: bool = False
    """Fine-tuned: with tokens added, embeddings padded to a multiple of 8, in several files."""


SHAPES = (
    Shape("swish, shared embeddings"),
    Shape("relu, no bias", {"activation_function": "relu"}, bias=False),
    Shape("gelu, not scaled", {"activation_function": "gelu", "scale_embedding": False}),
    Shape("separate embeddings", {"share_encoder_decoder_embeddings": False}),
    Shape(
        "output of its own",
        {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
    ),
    Shape("unequal layers, half precision", {"encoder_layers": 3, "decoder_layers": 1}, half=True),
    Shape("a pickle in half precision", half=True, pickled=True),
    Shape("a pickle", {"encoder_attention_heads": 8, "decoder_attention_heads": 8}, pickled=True),
    Shape("tiny vectors: eps counts", {"scale_embedding": False, "init_std": 0.002}),
    Shape("an output of its own, shared embeddings", {"tie_word_embeddings": False}),
    Shape("fine-tuned", tuned=True),
)


@dataclass(frozen=True)
class Both:
    """The same folder opened by transformers and here."""

    theirs: Any
    theirs_tokenizer: Any
    ours: Translator


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: shape.name)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    from transformers import MarianMTModel, MarianTokenizer  # slow to import

    folder = tmp_path_factory.mktemp("marian")
    write_folder(folder, request.param)
    theirs = MarianMTModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return Both(theirs.eval(), MarianTokenizer.from_pretrained(folder), load_translator(folder))


ADDED = ["<formal>", "<informal>"]


def write_folder(folder: Path, shape: Shape) -> None:
    """Let transformers write a randomly initialised model."""
    from transformers import MarianConfig, MarianMTModel

    values: dict[str, Any] = SMALL | shape.values
    separate = not values.get("share_encoder_decoder_embeddings", True)
    source, target = write_pieces(folder, separate=separate)
    pad = min(source, target) - 1
    config = MarianConfig(
        **values,
        vocab_size=source,
        decoder_vocab_size=target,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=None,
    )
    torch.manual_seed(5)
    model = MarianMTModel(config)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            parameter.data.normal_(std=0.1)
    if shape.bias:
        model.final_logits_bias.normal_()
    model = model.half() if shape.half else model
    (folder / "tokenizer_config.json").write_text(json.dumps({"separate_vocabs": separate}))
    if shape.tuned:
        tune(model, folder)
    model.save_pretrained(folder, max_shard_size="20KB" if shape.tuned else "1GB")
    if shape.pickled:
        (folder / "model.safetensors").unlink()
        torch.save(_without_rounded_positions(model.state_dict()), folder / "pytorch_model.bin")


def tune(model: Any, folder: Path) -> None:  # noqa: ANN401
    """Add tokens and round the number of embeddings up, as people do before fine-tuning."""
    from transformers import MarianTokenizer

    tokenizer = MarianTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(ADDED)
    tokenizer.save_pretrained(folder)
    model.resize_token_embeddings(len(tokenizer), pad_to_multiple_of=8)
    model.config.decoder_vocab_size = model.config.vocab_size
    model._resize_final_logits_bias(model.config.vocab_size)
    known = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    ids = {token: tokenizer.convert_tokens_to_ids(token) for token in ADDED}
    assert min(ids.values()) == len(known)
    (folder / "added_tokens.json").write_text(json.dumps(ids), encoding="utf-8")


def _without_rounded_positions(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Leave the positions out, as transformers does; in old files, in float32, they are there."""
    return {
        name: tensor
        for name, tensor in weights.items()
        if "embed_positions" not in name or tensor.dtype == torch.float32
    }


def test_ids_are_those_of_transformers(both: Both) -> None:
    for text in (*SENTENCES, ">>fra<< The fox", ">>xyz<< Ωmega jumps"):
        assert list(both.ours.source(text).ids) == both.theirs_tokenizer(text).input_ids, text


def test_added_tokens_are_cut_out_of_a_text_as_in_transformers(both: Both) -> None:
    for text in ("<formal> The fox", "The fox<informal>jumps <formal>", "the <formal"):
        assert list(both.ours.source(text).ids) == both.theirs_tokenizer(text).input_ids, text


def test_target_ids_and_their_text_are_those_of_transformers(both: Both) -> None:
    tokenizer, theirs = both.ours.target_tokenizer, both.theirs_tokenizer
    for text in TRANSLATIONS:
        ids = tokenizer.encode(text)
        assert [*ids, tokenizer.end_id] == theirs(text_target=text).input_ids, text
        options = {"skip_special_tokens": True, "use_source_tokenizer": False}
        assert tokenizer.decode(ids) == theirs.decode(ids, **options), text


def test_logits_and_all_attention_are_those_of_transformers(both: Both) -> None:
    assert_recorded_alike(both.theirs, both.ours.record(SENTENCES[0], TRANSLATIONS[0]))


def test_greedy_ids_are_those_of_transformers(both: Both) -> None:
    assert generated(both, "The fox.", beams=1) == list(both.ours.translate("The fox.").ids)


def test_beam_ids_are_those_of_transformers(both: Both) -> None:
    """Without a length penalty: transformers divides by another power of the length."""
    found = both.ours.translate("The fox.", Beam(width=4, length_penalty=0)).ids
    assert generated(both, "The fox.", beams=4) == list(found)


def generated(both: Both, text: str, beams: int) -> list[int]:
    """Let transformers translate; without begin and end token."""
    source = both.ours.source(text)
    with torch.inference_mode():
        ids = both.theirs.generate(
            torch.tensor([source.ids]),
            num_beams=beams,
            do_sample=False,
            length_penalty=0.0,
            early_stopping=False,
            max_length=both.ours.limits(source).max_length,
            bad_words_ids=[[both.ours.tokenizer.pad_id]],
            forced_eos_token_id=None,
        )[0, 1:].tolist()
    end = both.ours.tokenizer.end_id
    return ids[: ids.index(end)] if end in ids else ids
