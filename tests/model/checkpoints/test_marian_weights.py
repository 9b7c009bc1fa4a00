"""What a config of a Marian model leaves out, and the tensors of its file, each by its names."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoints.checkpoint import load_checkpoint
from model.checkpoints.files import read_json
from model.checkpoints.marian import marian_config
from model.checkpoints.marian_weights import WEIGHTS, stored_tensors, weights_file
from model.transformer.config import Variant
from model.translator import load_translator
from tests.fixtures.marian_folder import TINY, write_marian

SIZES = {
    **TINY,
    "model_type": "marian",
    "max_position_embeddings": 64,
    "vocab_size": 50,
    "pad_token_id": 49,
    "decoder_start_token_id": 49,
    "eos_token_id": 0,
}
SHARED = ["model.shared.weight", "model.encoder.embed_tokens.weight"]
SHARED += ["model.decoder.embed_tokens.weight", "lm_head.weight"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_marian(tmp_path / "marian", TINY | {"max_position_embeddings": 20})


def test_what_a_config_leaves_out_is_as_in_transformers() -> None:
    from transformers import MarianConfig  # slow to import

    theirs = MarianConfig()
    assert (theirs.activation_function, theirs.scale_embedding) == ("gelu", False)
    assert theirs.share_encoder_decoder_embeddings
    assert theirs.tie_word_embeddings
    expected = Variant("gelu", "two halves", scaled=False, target_pieces=None, tied=True)
    assert marian_config(SIZES, biased=False).variant == expected


def test_the_target_has_pieces_of_its_own_when_the_config_says_so() -> None:
    apart = SIZES | {"share_encoder_decoder_embeddings": False}
    assert marian_config(apart, biased=True).variant.target_pieces == 50
    found = marian_config(apart | {"decoder_vocab_size": 60}, biased=True)
    assert (found.vocab_size, found.target_vocab_size) == (50, 60)
    assert found.variant.biased


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    said = f"{tmp_path}: {' or '.join(WEIGHTS)} expected, found none of them"
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        weights_file(tmp_path)
    (tmp_path / WEIGHTS[0]).symlink_to(tmp_path / "moved")
    with pytest.raises(ValueError, match=f"{WEIGHTS[0]}: a link to .*moved, where nothing is"):
        weights_file(tmp_path)


def test_a_missing_file_is_named_with_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").touch()
    with pytest.raises(
        ValueError, match=r"config\.json: there is no such file; found: vocab\.json"
    ):
        read_json(tmp_path / "config.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [(Fraction(1, 2), r"it asks for fractions\.Fraction"), (b"text", "it is damaged, or holds")],
)
def test_a_pickle_of_something_else_is_said_without_how_to_run_it(
    tmp_path: Path, content: object, said: str
) -> None:
    path = tmp_path / "pytorch_model.bin"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        torch.save({"a": content}, path)
    with pytest.raises(ValueError, match=f"tensors and nothing else expected; {said}") as it:
        stored_tensors(path)
    assert "\n" not in str(it.value)
    assert "weights_only" not in str(it.value)


def test_a_missing_tensor_is_named_by_all_its_names(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["model.shared.weight"]
    save_file(weights, folder / "model.safetensors")
    names = " or ".join(map(repr, SHARED))
    with pytest.raises(ValueError, match=f"the tensor {names} is missing$"):
        load_checkpoint(folder)


def test_a_tensor_stored_twice_must_be_the_same(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights[SHARED[3]] = weights[SHARED[0]].clone()
    save_file(weights, path)
    load_checkpoint(folder)
    weights[SHARED[3]][2, 3] += 1
    save_file(weights, path)
    said = f"'{SHARED[0]}' and '{SHARED[3]}' must be one tensor, but they differ"
    with pytest.raises(ValueError, match=f"{said}$"):
        load_checkpoint(folder)


def test_a_tensor_of_another_shape_or_dtype_is_named(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    name = "model.encoder.layers.1.fc1.bias"
    save_file({**weights, name: torch.zeros(7)}, path)
    with pytest.raises(ValueError, match=rf"the tensor '{name}' has the shape \(7,\), not \(48,\)"):
        load_checkpoint(folder)
    save_file({**weights, name: weights[name].double()}, path)
    kinds = "has the dtype torch.float64, not one of float16, bfloat16, float32$"
    with pytest.raises(ValueError, match=f"the tensor '{name}' {kinds}"):
        load_checkpoint(folder)
    name = "model.decoder.embed_positions.weight"
    save_file({**weights, name: torch.zeros(20, 16)}, path)
    with pytest.raises(ValueError, match=rf"'{name}' has the shape \(20, 16\), not \(20, 32\)"):
        load_checkpoint(folder)


def test_pieces_without_a_bias_get_none(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    whole = weights["final_logits_bias"]
    whole[:, -3:] = 0
    save_file(weights, path)
    expected = load_translator(folder).translate("The fox")
    save_file({**weights, "final_logits_bias": whole[:, :-3].contiguous()}, path)
    assert load_translator(folder).translate("The fox") == expected


def test_a_bias_of_few_pieces_is_refused(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["model.shared.weight"] = torch.zeros(700, 32).half()
    config = json.loads((folder / "config.json").read_text())
    config |= {"vocab_size": 700, "decoder_vocab_size": 700}
    (folder / "config.json").write_text(json.dumps(config))
    save_file({**weights, "final_logits_bias": torch.zeros(1, 3).half()}, path)
    ids = json.loads((folder / "vocab.json").read_text())
    more = {f"more{id_}": id_ for id_ in range(len(ids), 700)}
    (folder / "vocab.json").write_text(json.dumps(ids | more))
    with pytest.raises(
        ValueError, match=r"'final_logits_bias' has the shape \(1, 3\), not \(700,\)"
    ):
        load_checkpoint(folder)
