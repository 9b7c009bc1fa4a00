"""Every site of a recording holds the same numbers as in Python."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model import Translator, load_translator
from model.checkpoints.checkpoint import CHECKPOINTS, CONFIG, TOKENIZER, WEIGHTS
from tests.viz.live.engine import Engine, EngineError, assert_alike, part
from tests.viz.live.texts import SENTENCES, WHOLE, is_known, odd

SOME = 40 if WHOLE else 5


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator()


def test_every_site_of_sentences_is_the_same(engine: Engine, translator: Translator) -> None:
    for text in [*part(SENTENCES, SOME - 1), next(filter(is_known, odd(seed=8)))]:
        target = translator.translate(text).ids
        expected = translator.record(text, list(target))
        found = engine.arrays(engine.ask("record", text=text, target=target))
        assert set(found) == set(translator.config.sites())
        assert_alike(found, expected.arrays)


@pytest.mark.parametrize("name", ["en-fr-learned", "en-fr-rotary", "en-fr-no-relu", "zh-en"])
def test_other_models_are_the_same(name: str) -> None:
    translator = load_translator(name)
    text = "她喜欢这本书。" if name == "zh-en" else "She likes the old house."
    with Engine() as engine:
        own = CHECKPOINTS / name
        lent = None if (own / TOKENIZER).exists() else CHECKPOINTS / "en-fr-words"
        engine.open(own, tokenizer=lent)
        expected = translator.translate(text)
        assert engine.ask("translate", text=text)["ids"] == list(expected.ids)
        recording = translator.record(text, expected)
        found = engine.arrays(engine.ask("record", text=text, target=expected.ids))
        assert_alike(found, recording.arrays)


def test_without_simd_the_numbers_are_the_same(translator: Translator) -> None:
    text = "She likes the old house."
    with Engine() as engine:
        engine.open(simd=False)
        expected = translator.translate(text)
        assert engine.ask("translate", text=text)["ids"] == list(expected.ids)
        found = engine.arrays(engine.ask("record", text=text, target=expected.ids))
        assert_alike(found, translator.record(text, expected).arrays)


def stored(folder: Path, weights: dict[str, torch.Tensor], config: object = None) -> Path:
    """Write a folder with these weights, and the other files of the shipped model."""
    folder.mkdir()
    shipped = CHECKPOINTS / "en-fr-sinusoid"
    text = (shipped / CONFIG).read_text(encoding="utf-8") if config is None else json.dumps(config)
    (folder / CONFIG).write_text(text, encoding="utf-8")
    save_file(weights, folder / WEIGHTS)
    return folder


WORDS = CHECKPOINTS / "en-fr-words"


@pytest.fixture(scope="module")
def weights() -> dict[str, torch.Tensor]:
    return load_file(CHECKPOINTS / "en-fr-sinusoid" / WEIGHTS)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_all_types_of_weights_are_read(
    engine: Engine, weights: dict[str, torch.Tensor], dtype: torch.dtype, tmp_path: Path
) -> None:
    own = {name: tensor.to(dtype) for name, tensor in weights.items()}
    engine.open(stored(tmp_path / "one", own), tokenizer=WORDS)
    rounded = {name: tensor.float() for name, tensor in own.items()}
    text, target = "She likes the old house.", [300, 301, 302]
    found = engine.arrays(engine.ask("record", text=text, target=target))
    translator = load_translator("en-fr-sinusoid")
    translator.model.load_state_dict(rounded)
    assert_alike(found, translator.record(text, target).arrays)


DAMAGE = {
    "missing": (
        lambda own: own.pop("encoder.layers.1.norm1.bias"),
        r"model\.safetensors: the tensor encoder\.layers\.1\.norm1\.bias is missing",
    ),
    "extra": (
        lambda own: own.update(more=torch.zeros(2)),
        r"model\.safetensors: the tensor more does not belong to this model",
    ),
    "shape": (
        lambda own: own.update({"decoder.layers.0.ffn.out.bias": torch.zeros(3)}),
        r"the tensor decoder\.layers\.0\.ffn\.out\.bias has the shape \(3\), not \(128\)",
    ),
    "type": (
        lambda own: own.update({"decoder.layers.0.ffn.out.bias": torch.zeros(128).double()}),
        r"has the dtype F64, not one of F16, BF16, F32",
    ),
    "infinite": (
        lambda own: own.update({"decoder.layers.0.ffn.out.bias": torch.full((128,), torch.inf)}),
        r"the tensor decoder\.layers\.0\.ffn\.out\.bias has values that are not finite",
    ),
    "infinite half": (
        lambda own: own.update(
            {"decoder.layers.0.ffn.out.bias": torch.full((128,), -torch.inf).half()}
        ),
        r"the tensor decoder\.layers\.0\.ffn\.out\.bias has values that are not finite",
    ),
    "no number in a matrix of halves": (
        lambda own: own.update(
            {"decoder.layers.0.self_attn.q.weight": torch.full((128, 128), torch.nan).half()}
        ),
        r"the tensor decoder\.layers\.0\.self_attn\.q\.weight has values that are not finite",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_weights_are_refused(
    engine: Engine, weights: dict[str, torch.Tensor], what: str, tmp_path: Path
) -> None:
    own, (damage, said) = dict(weights), DAMAGE[what]
    damage(own)
    with pytest.raises(EngineError, match=said):
        engine.open(stored(tmp_path / "one", own), tokenizer=WORDS)


def test_a_file_that_is_cut_short_is_refused(
    engine: Engine, weights: dict[str, torch.Tensor], tmp_path: Path
) -> None:
    folder = stored(tmp_path / "one", weights)
    whole = (folder / WEIGHTS).read_bytes()
    for length in (0, 7, 100, len(whole) - 2):
        (folder / WEIGHTS).write_bytes(whole[:length])
        with pytest.raises(EngineError, match=r"^model\.safetensors: the file is "):
            engine.open(folder, tokenizer=WORDS)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"kind": "dot"}, "only this project's Transformers"),
        ({"vocab_size": 8000}, "d_model is missing or wrong"),
        ([], "vocab_size is missing or wrong"),
        ({"scores": "additive"}, "additive scores do not run in the page"),
        ({"positions": "joined"}, "joined positions do not run in the page"),
    ],
)
def test_a_wrong_config_is_refused(
    engine: Engine,
    weights: dict[str, torch.Tensor],
    config: object,
    said: str,
    tmp_path: Path,
) -> None:
    folder = stored(tmp_path / "one", weights, config)
    with pytest.raises(EngineError, match=rf"^config\.json: {said}"):
        engine.open(folder, tokenizer=WORDS)


def test_a_tokenizer_of_another_model_is_refused(engine: Engine, tmp_path: Path) -> None:
    values = json.loads((CHECKPOINTS / "en-fr" / CONFIG).read_text(encoding="utf-8"))
    folder = stored(tmp_path / "one", {"a": torch.zeros(2)}, {**values, "vocab_size": 7999})
    with pytest.raises(EngineError, match=r"tokenizer\.model: its pieces are not those"):
        engine.open(folder, tokenizer=WORDS)
