"""Marian folders that are damaged or foreign, and what is done with their special ids."""

import json
import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.checkpoints.checkpoint import load_checkpoint
from model.decoding.beam import Beam
from model.decoding.sampling import Sampling
from model.interventions.positions import ShiftPositions
from model.transformer.config import ModelConfig, Variant
from model.translator import Translator, load_translator
from tests.fixtures.marian_folder import SENTENCES, TINY, TRANSLATIONS, write_marian


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_marian(tmp_path_factory.mktemp("marian") / "tiny", TINY)


@pytest.fixture(scope="module")
def translator(made: Path) -> Translator:
    return load_translator(made)


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def set_config(folder: Path, **values: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def as_pickle(folder: Path, content: object) -> Path:
    (folder / "model.safetensors").unlink()
    path = folder / "pytorch_model.bin"
    torch.save(content, path)
    return path


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("model_type", "bart", "'marian' expected, found 'bart'"),
        ("model_type", None, "'marian' expected, found None"),
        ("normalize_before", True, "normalize_before must be False, found True"),
        ("normalize_embedding", True, "normalize_embedding must be False"),
        ("add_final_layer_norm", True, "add_final_layer_norm must be False"),
        ("static_position_embeddings", False, "static_position_embeddings must be True"),
        ("activation_function", "tanh", "one of relu, swish, silu, gelu, found 'tanh'"),
        ("activation_function", ["a"], r"one of relu, swish, silu, gelu, found \['a'\]"),
        ("decoder_ffn_dim", 64, "encoder_ffn_dim and decoder_ffn_dim must be equal"),
        ("d_model", "wide", "d_model must be an integer"),
        ("vocab_size", 10**9, "vocab_size must be at most"),
        ("eos_token_id", [0], "end_id must be an integer"),
        ("encoder_layers", 3, r"layers.2.self_attn.q_proj.weight' is missing"),
        ("decoder_layers", 1, "does not belong to this model"),
        ("d_model", 64, r"has the shape \(\d+, 32\), not \(\d+, 64\)"),
    ],
)
def test_a_foreign_config_is_refused_in_a_sentence(
    folder: Path, name: str, value: object, said: str
) -> None:
    set_config(folder, **{name: value})
    with pytest.raises(ValueError, match=said) as error:
        load_checkpoint(folder)
    assert "\n" not in str(error.value)
    assert str(folder) in str(error.value)


def test_what_the_config_does_not_say_is_named(folder: Path) -> None:
    values = json.loads((folder / "config.json").read_text())
    del values["decoder_start_token_id"]
    (folder / "config.json").write_text(json.dumps(values))
    with pytest.raises(ValueError, match=r"config\.json: decoder_start_token_id is missing"):
        load_checkpoint(folder)


@pytest.mark.parametrize("name", ["vocab.json", "source.spm", "target.spm", "model.safetensors"])
@pytest.mark.parametrize("damage", ["gone", "cut short"])
def test_a_damaged_file_is_named(folder: Path, name: str, damage: str) -> None:
    path = folder / name
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        load_checkpoint(folder)


def test_a_vocabulary_has_every_id_once_and_as_many_as_the_model(folder: Path) -> None:
    path = folder / "vocab.json"
    ids = json.loads(path.read_text())
    path.write_text(json.dumps(ids | {"</s>": 1}))
    with pytest.raises(ValueError, match=r"vocab\.json: the ids .* must be the numbers from 0 to"):
        load_checkpoint(folder)
    path.write_text(json.dumps({name.replace("<unk>", "<?>"): id_ for name, id_ in ids.items()}))
    with pytest.raises(ValueError, match=r"vocab\.json: the piece '<unk>' is missing"):
        load_checkpoint(folder)
    path.write_text(json.dumps(ids | {"one more": len(ids)}))
    with pytest.raises(
        ValueError, match=rf"{len(ids) + 1} pieces, but config.json says {len(ids)}"
    ):
        load_checkpoint(folder)


def test_pieces_that_the_vocabulary_does_not_have_are_counted(folder: Path) -> None:
    path = folder / "vocab.json"
    ids = json.loads(path.read_text())
    kept = ("</s>", "<unk>", "<pad>")
    others = {name if name in kept else f"x{id_}": id_ for name, id_ in ids.items()}
    path.write_text(json.dumps(others))
    with pytest.raises(
        ValueError, match=r"source\.spm: \d of its \d+ pieces are in vocab\.json: do"
    ):
        load_checkpoint(folder)


def test_exchanged_pieces_are_told_by_the_vocabularies_of_the_sides(tmp_path: Path) -> None:
    own_sides = {**TINY, "share_encoder_decoder_embeddings": False}
    folder = write_marian(tmp_path / "sides", own_sides)
    load_checkpoint(folder)
    (folder / "source.spm").rename(folder / "other.spm")
    (folder / "target.spm").rename(folder / "source.spm")
    (folder / "other.spm").rename(folder / "target.spm")
    with pytest.raises(ValueError, match=r"source\.spm: \d+ of its \d+ pieces are in vocab\.json"):
        load_checkpoint(folder)


def test_weights_that_are_no_numbers_are_refused(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.shared.weight"][3, 4] = torch.nan
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(ValueError, match=r"'model.shared.weight' has values that are not finite"):
        load_checkpoint(folder)


def test_weights_of_another_kind_of_number_are_refused(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.shared.weight"] = weights["model.shared.weight"].double()
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(ValueError, match=r"dtype torch.float64, not one of float16"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    "alias",
    ["model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"],
)
def test_the_shared_matrix_is_found_under_any_of_its_names(
    folder: Path, translator: Translator, alias: str
) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights[alias] = weights.pop("model.shared.weight")
    save_file(weights, path)
    assert load_translator(folder).translate("The fox") == translator.translate("The fox")
    weights["model.shared.weight"] = weights[alias] + 1
    save_file(weights, path)
    with pytest.raises(ValueError, match="must be one tensor, but they differ"):
        load_checkpoint(folder)


def test_learned_positions_are_refused(folder: Path, translator: Translator) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    name = "model.encoder.embed_positions.weight"
    weights[name] = translator.model.get_buffer("positions").half()
    save_file(weights, path)
    load_checkpoint(folder)
    weights[name][5] += 0.1
    save_file(weights, path)
    with pytest.raises(ValueError, match=f"'{name}' holds other positions than the sinusoids"):
        load_checkpoint(folder)


class Harmful:
    """What a pickle may ask for: to run anything at all."""

    def __init__(self, witness: Path) -> None:
        self.witness = witness

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.witness),)


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 310022\n"


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin", "source.spm"])
def test_a_pointer_of_git_lfs_is_called_so(folder: Path, name: str) -> None:
    if name == "pytorch_model.bin":
        (folder / "model.safetensors").unlink()
    (folder / name).write_text(POINTER)
    with pytest.raises(ValueError, match=rf"{name}: a pointer of Git LFS, .* `git lfs pull`"):
        load_checkpoint(folder)


def test_the_ids_that_newer_folders_keep_beside_the_config_are_read(
    folder: Path, translator: Translator
) -> None:
    config = json.loads((folder / "config.json").read_text())
    names = ("decoder_start_token_id", "eos_token_id", "pad_token_id")
    moved = {name: config.pop(name) for name in names}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "generation_config.json").write_text(json.dumps(moved | {"num_beams": 4}))
    again = load_translator(folder)
    assert again.config == translator.config
    assert again.translate("The fox") == translator.translate("The fox")


@pytest.mark.parametrize("archive", [True, False])
def test_a_pickle_that_asks_for_more_than_tensors_runs_nothing(
    folder: Path, tmp_path: Path, archive: bool
) -> None:
    witness = tmp_path / "ran"
    path = as_pickle(folder, {"lm_head.weight": Harmful(witness)})
    if not archive:
        path.write_bytes(pickle.dumps(Harmful(witness), protocol=2))
    with pytest.raises(ValueError, match=r"pytorch_model\.bin: tensors and nothing else") as error:
        load_checkpoint(folder)
    assert "\n" not in str(error.value)
    assert not witness.exists()


def test_a_pickle_of_something_else_is_refused(folder: Path) -> None:
    as_pickle(folder, [torch.zeros(3)])
    with pytest.raises(ValueError, match="tensors by their names expected"):
        load_checkpoint(folder)


def test_an_old_pickle_that_is_no_archive_is_read(folder: Path, translator: Translator) -> None:
    weights = load_file(folder / "model.safetensors")
    path = as_pickle(folder, weights)
    torch.save(weights, path, _use_new_zipfile_serialization=False)
    assert load_translator(folder).translate("The fox") == translator.translate("The fox")


def test_the_begin_token_is_padding_and_seen_by_every_query(translator: Translator) -> None:
    recording = translator.record(SENTENCES[0], TRANSLATIONS[0])
    assert recording.target_tokens[0] == "<pad>"
    assert recording["decoder.mask"][:, 0].all()
    np.testing.assert_allclose(recording.attention("decoder")[:, :, 0, 0], 1)


def test_padding_is_never_written(folder: Path) -> None:
    """Though its score be the highest by far."""
    path = folder / "model.safetensors"
    weights: dict[str, Tensor] = load_file(path)
    weights["final_logits_bias"] = torch.zeros(1, len(weights["model.shared.weight"])).half()
    weights["final_logits_bias"][0, -1] = 100
    save_file(weights, path)
    translator = load_translator(folder)
    pad = translator.tokenizer.pad_id
    recording = translator.record("The fox", "Le chien")
    assert (recording.logits.argmax(axis=1) == pad).all()
    for strategy in (None, Beam(2), Sampling(seed=3)):
        found = translator.translate("The fox", strategy)
        assert found.ids
        assert pad not in found.ids


def test_sites_say_what_the_model_does(translator: Translator) -> None:
    meanings = {site.name: site.meaning for site in translator.record("fox", "chien").sites()}
    assert meanings["encoder.0.ffn.hidden"] == "swish(x W1 + b1), at each position alike"
    assert meanings["encoder.embedding"] == "embedding of each piece, times sqrt(d_model)"


def test_a_language_is_one_token_and_the_span_of_its_text(translator: Translator) -> None:
    assert translator.tokenizer.languages == (">>fra<<", ">>cmn_Hans<<")
    pieces = translator.tokenizer.pieces(">>fra<< The fox")
    assert (pieces[0].token, pieces[0].surface) == (">>fra<<", ">>fra<<")
    assert "".join(piece.surface for piece in pieces) == ">>fra<< The fox"


def test_a_shift_follows_the_layout_of_the_positions(translator: Translator) -> None:
    plain = translator.record("The fox", "Le chien")
    moved = translator.record("The fox", "Le chien", [ShiftPositions("encoder", 2)])
    np.testing.assert_allclose(
        moved["encoder.positions"][:-2], plain["encoder.positions"][2:], atol=1e-6
    )
    sines = np.sin(np.arange(3))
    np.testing.assert_allclose(plain["encoder.positions"][:3, 0], sines, atol=1e-6)
    np.testing.assert_allclose(plain["encoder.positions"][:3, 16], np.cos(np.arange(3)), atol=1e-6)


def test_logits_are_the_sum_of_their_parts_and_the_bias(translator: Translator) -> None:
    recording = translator.record("The fox", "Le chien")
    parts = recording.logit_parts(1, 5)
    assert ("decoder.logits.bias" in parts.names) == translator.config.variant.biased
    np.testing.assert_allclose(parts.total, recording.logits[1, 5], atol=1e-3)


def test_only_a_model_like_the_papers_can_be_written() -> None:
    with pytest.raises(ValueError, match="only the paper's variant can be written"):
        ModelConfig(variant=Variant(scaled=False)).to_dict()


def test_a_model_of_512_positions_takes_256_pieces(translator: Translator) -> None:
    long = "The animal was too tired. " * 40
    recording = translator.record(long, long)
    assert recording.attention("cross").shape[2:] == (256, 256)
    assert translator.source(long).cut
