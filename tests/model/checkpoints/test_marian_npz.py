"""Models as Marian itself writes them: the same model as in Hugging Face's form."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file

from model.checkpoints.checkpoint import load_checkpoint
from model.checkpoints.marian_npz import read_npz
from model.translator import load_translator
from tests.fixtures.marian_folder import TINY, write_marian
from tests.model.alike import assert_recorded_alike
from viz.compute import models

SIZES = TINY | {"decoder_layers": 3, "max_position_embeddings": 32}
APART: dict[str, int | bool | str] = {"share_encoder_decoder_embeddings": False}
SETTINGS = """\
dec-depth: 3
dim-emb: 32
dim-vocabs:
  - 219
  - 219
enc-depth: 2
transformer-dim-ffn: 48
transformer-ffn-activation: swish
transformer-heads: 4
transformer-postprocess: dan
transformer-postprocess-emb: d
transformer-preprocess: ""
transformer-train-position-embeddings: false
type: transformer
version: v1.9.0\0"""
STRANGE = ['"', "'", "''", "\\", ":", "a: b", "é", "#", "-", "null", "1", "😀", "\\u0041", '"x"']
NAMES = """\
self_attn.q_proj.weight self_Wq
self_attn.k_proj.weight self_Wk
self_attn.v_proj.weight self_Wv
self_attn.out_proj.weight self_Wo
self_attn.q_proj.bias self_bq
self_attn.k_proj.bias self_bk
self_attn.v_proj.bias self_bv
self_attn.out_proj.bias self_bo
self_attn_layer_norm.weight self_Wo_ln_scale
self_attn_layer_norm.bias self_Wo_ln_bias
encoder_attn.q_proj.weight context_Wq
encoder_attn.k_proj.weight context_Wk
encoder_attn.v_proj.weight context_Wv
encoder_attn.out_proj.weight context_Wo
encoder_attn.q_proj.bias context_bq
encoder_attn.k_proj.bias context_bk
encoder_attn.v_proj.bias context_bv
encoder_attn.out_proj.bias context_bo
encoder_attn_layer_norm.weight context_Wo_ln_scale
encoder_attn_layer_norm.bias context_Wo_ln_bias
fc1.weight ffn_W1
fc1.bias ffn_b1
fc2.weight ffn_W2
fc2.bias ffn_b2
final_layer_norm.weight ffn_ffn_ln_scale
final_layer_norm.bias ffn_ffn_ln_bias"""
PARTS = {theirs: marian for theirs, marian in map(str.split, NAMES.splitlines())}
ENDS = {
    "model.shared.weight": "Wemb",
    "model.encoder.embed_tokens.weight": "encoder_Wemb",
    "model.decoder.embed_tokens.weight": "decoder_Wemb",
    "lm_head.weight": "decoder_ff_logit_out_W",
    "final_logits_bias": "decoder_ff_logit_out_b",
}


def in_hugging_face_form(folder: Path, **values: int | bool | str) -> Path:
    """Write a random model whose padding is zeros, as the converter would leave it."""
    write_marian(folder, SIZES | values, size=220)
    path = folder / "model.safetensors"
    weights = load_file(path)
    if (
        "model.decoder.embed_tokens.weight" in weights
    ):  # what both would share, transformers ignores
        weights["model.encoder.embed_tokens.weight"] = weights.pop("model.shared.weight")
    for name in ENDS.keys() & weights.keys():
        (weights[name][0] if name == "final_logits_bias" else weights[name])[-1] = 0
    for name, tensor in weights.items():
        if name.endswith("bias") and name != "final_logits_bias":
            weights[name] = torch.randn_like(tensor) / 4
    save_file(weights, path, metadata={"format": "pt"})
    for file in folder.glob("*vocab.json"):
        ids: dict[str, int] = json.loads(file.read_text())
        free = [name for name in ids if name.startswith("unused")]
        named = dict(zip(free, [one for one in STRANGE if one not in ids], strict=False))
        file.write_text(json.dumps({named.get(name, name): id_ for name, id_ in ids.items()}))
    return folder


def in_marian_form(made: Path, folder: Path) -> Path:
    """Write the same model as Marian would: its names, its matrices, and no padding."""
    arrays: dict[str, Any] = {}
    for name, tensor in load_file(made / "model.safetensors").items():
        array = tensor.float().numpy()
        if name in ENDS:
            own = array[:, :-1] if name == "final_logits_bias" else array[:-1]
            arrays[ENDS[name]] = own.T if name == "lm_head.weight" else own
            continue
        layer = re.fullmatch(r"model\.(\w+)\.layers\.(\d)\.(.+)", name)
        assert layer is not None
        place = f"{layer[1]}_l{int(layer[2]) + 1}_{PARTS[layer[3]]}"
        arrays[place] = array.T if array.ndim == 2 else array[None]
    folder.mkdir()
    save(folder, arrays | {"special:model.yml": np.frombuffer(SETTINGS.encode(), np.int8)})
    for side in ("source.spm", "target.spm"):
        shutil.copy(made / side, folder)
    own = (made / "target_vocab.json").exists()
    names = {"vocab.json": "src.vocab.yml" if own else "vocab.yml"}
    names |= {"target_vocab.json": "trg.vocab.yml"} if own else {}
    for number, (name, yml) in enumerate(names.items()):
        ids = {one: id_ for one, id_ in json.loads((made / name).read_text()).items() if id_ < 219}
        text = yaml.dump(ids, allow_unicode=bool(number), sort_keys=False)
        (folder / f"opus.{yml}").write_text(text, encoding="utf-8")
    return folder


def save(folder: Path, arrays: dict[str, Any]) -> None:
    np.savez(folder / "model.npz", **arrays)


def stored(folder: Path) -> dict[str, Any]:
    with np.load(folder / "model.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = in_hugging_face_form(tmp_path_factory.mktemp("theirs") / "shared")
    return in_marian_form(folder, folder.with_name("marian"))


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.mark.parametrize(
    "values",
    [{}, {"activation_function": "swish", **APART}, {"tie_word_embeddings": False, **APART}],
    ids=["shared", "embeddings apart", "output of its own"],
)
def test_it_is_the_model_that_transformers_opens(
    tmp_path: Path, values: dict[str, int | bool | str]
) -> None:
    from transformers import MarianMTModel  # slow to import

    theirs_folder = in_hugging_face_form(tmp_path / "theirs", **values)
    theirs = MarianMTModel.from_pretrained(
        theirs_folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    marian = load_translator(in_marian_form(theirs_folder, tmp_path / "marian"))
    other = load_translator(theirs_folder)
    for side, same in zip(marian.tokenizers, other.tokenizers, strict=True):
        assert side.tokens(list(range(220))) == same.tokens(list(range(220)))
    assert_recorded_alike(theirs, marian.record("The fox", "Le chien"))
    assert marian.translate("The fox.") == other.translate("The fox.")


def test_the_app_finds_it_by_its_folder(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "CHECKPOINTS", made.parent)
    monkeypatch.setenv(models.NAMED_AT_START, "shared")
    models._folders.cache_clear()
    assert list(models.folders()) == ["shared", "marian"]
    assert not models.is_recurrent("marian")
    models._folders.cache_clear()


@pytest.mark.parametrize(
    ("setting", "other", "said"),
    [
        ("type: transformer", "type: s2s", "type must be 'transformer', found 's2s'"),
        ("type: transformer", 'type: "XL"', "type must be 'transformer', found 'XL'"),
        ('preprocess: ""', 'preprocess: "n"', "transformer-preprocess must be '', found 'n'"),
        ("process: dan", "process: da", "transformer-postprocess must be 'dan', found 'da'"),
        ("embeddings: false", "embeddings: true", "position-embeddings must be 'false'"),
        ("activation: swish", "activation: tanh", "activation_function must be one of"),
        ("dim-emb: 32", "dim-emb: wide", "d_model must be an integer >= 1, not 'wide'"),
        ("dec-depth: 3", "", "decoder_layers must be an integer >= 1, not ''"),
        ("enc-depth: 2", "enc-depth: 3", r"encoder.layers.2.self_attn.q_proj.weight' is missing"),
        ("enc-depth: 2", "enc-depth: 1", "does not belong to this model"),
    ],
)
def test_another_architecture_is_refused_in_a_sentence(
    folder: Path, setting: str, other: str, said: str
) -> None:
    text = SETTINGS.replace(setting, other)
    save(folder, stored(folder) | {"special:model.yml": np.frombuffer(text.encode(), np.int8)})
    with pytest.raises(ValueError, match=said) as error:
        load_checkpoint(folder)
    assert "\n" not in str(error.value)
    assert "model.npz" in str(error.value)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"Wpos": np.zeros((9, 32), np.float32)}, "'Wpos' does not belong to this model"),
        ({"Wemb": np.zeros((219, 32), np.int8)}, r"must be a matrix .*, found int8 \(219, 32\)"),
        ({"Wemb": np.zeros((99, 32), np.float32)}, "vocab.yml: 220 pieces, but model.npz"),
        ({"encoder_Wemb": np.zeros((9, 32), np.float32)}, r"found \[10, 220\]"),
        ({"Wemb": np.array([print])}, "allow_pickle=False"),
        ({"encoder_l1_ffn_b1": np.full((1, 48), np.nan, np.float32)}, "are not finite"),
    ],
)
def test_foreign_arrays_are_refused_in_a_sentence(
    folder: Path, arrays: dict[str, Any], said: str
) -> None:
    save(folder, stored(folder) | arrays)
    with pytest.raises(ValueError, match=said) as error:
        load_checkpoint(folder)
    assert "\n" not in str(error.value)


def test_a_damaged_folder_is_refused_in_a_sentence(folder: Path) -> None:
    path, vocabulary = folder / "model.npz", folder / "opus.vocab.yml"
    whole, ids = path.read_bytes(), vocabulary.read_text()
    for content in (whole[:3000], b"", b"text", whole[:40] + whole[900:]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.npz: .") as error:
            load_checkpoint(folder)
        assert "\n" not in str(error.value)
    path.write_bytes(whole)
    vocabulary.write_text(ids + "a piece without its id\n")
    with pytest.raises(ValueError, match=r"vocab\.yml: `piece: id` expected in line \d+"):
        load_checkpoint(folder)
    vocabulary.unlink()
    with pytest.raises(ValueError, match=r"one file \*vocab\.yml expected, found none"):
        load_checkpoint(folder)
    shutil.copy(path, folder / "other.npz")
    with pytest.raises(ValueError, match=r"found model\.npz, other\.npz"):
        load_checkpoint(folder)


def without(folder: Path, *names: str) -> None:
    save(folder, {name: array for name, array in stored(folder).items() if name not in names})


def test_what_is_not_in_the_file_is_named(folder: Path) -> None:
    whole = stored(folder)
    without(folder, "special:model.yml")
    with pytest.raises(ValueError, match=r"model\.npz: there is no 'special:model\.yml' in it$"):
        read_npz(folder)
    save(folder, whole)
    without(folder, "Wemb")
    with pytest.raises(ValueError, match=r"embeddings of one number of pieces .*, found none$"):
        read_npz(folder)


def test_settings_may_name_a_file_that_is_no_unicode(folder: Path) -> None:
    settings = "vocabs: /données/v.yml\n".encode("latin-1") + SETTINGS.encode()
    save(folder, stored(folder) | {"special:model.yml": np.frombuffer(settings, np.int8)})
    assert read_npz(folder)[1]["d_model"] == 32


def test_a_vocabulary_is_read_as_yaml_writes_it(folder: Path) -> None:
    lines = {
        "---": None,
        "</s>: 0": ("</s>", 0),
        "plain : 12 ": ("plain", 12),
        "a: b: 3": ("a: b", 3),
        "' it''s ': 4": (" it's ", 4),
        "'': 5": ("", 5),
        '"": 6': ("", 6),
        "': 7": ("'", 7),
        '": 8': ('"', 8),
        r'"a\t\x41😀é": 9': ("a\tA😀é", 9),
        "": None,
    }
    content = "\r\n".join(lines).encode() + b"\xff: 10\n"
    (folder / "opus.vocab.yml").write_bytes(content)
    expected = dict(one for one in lines.values() if one) | {"\ufffd": 10}
    ids = [vocabulary for _path, vocabulary in read_npz(folder)[3]]
    assert ids[0] == ids[1] == expected | {"<pad>": len(expected)}


@pytest.mark.parametrize("line", ["a piece of many more than forty letters, no id", ": 5", "a: b"])
def test_a_line_of_the_vocabulary_that_is_wrong_is_shown(folder: Path, line: str) -> None:
    path = folder / "opus.vocab.yml"
    path.write_text(f"</s>: 0\n{line}\n")
    said = f"{path}: `piece: id` expected in line 2, found {line[:40]!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        read_npz(folder)
    path.write_text("a: 0\n")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: the piece '</s>' is missing$"):
        read_npz(folder)
