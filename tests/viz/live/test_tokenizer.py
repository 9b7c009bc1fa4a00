"""Texts are cut into the same pieces as by SentencePiece."""

import io
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from model.checkpoints.checkpoint import CHECKPOINTS, TOKENIZER
from model.tokenizer import Tokenizer
from model.words import clean
from tests.viz.live.engine import Engine, EngineError
from tests.viz.live.texts import SENTENCES, is_known, many

MANY = 20_000


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(CHECKPOINTS / "en-fr" / TOKENIZER)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return many(MANY)


def without_halves(texts: list[str]) -> list[str]:
    """Leave out what is no text: SentencePiece refuses a half of a pair."""
    return [text for text in texts if not any(unicodedata.category(m) == "Cs" for m in text)]


@pytest.mark.parametrize(("name", "step"), [("en-fr", 1), ("zh-en", 5)])
def test_texts_have_the_same_pieces(engine: Engine, texts: list[str], name: str, step: int) -> None:
    path = CHECKPOINTS / name / TOKENIZER
    whole = without_halves(texts[::step])
    assert len(whole) > (MANY - 50) / step
    expected = Tokenizer.from_file(path).encode_all(whole)
    found = engine.ask("encode", texts=whole, tokenizer=str(path))
    assert [t for t, own, its in zip(whole, expected, found, strict=True) if own != its] == []


def test_texts_are_cleaned_alike(engine: Engine, texts: list[str]) -> None:
    known = [text for text in texts if is_known(text)]
    assert len(known) > MANY / 2
    found = engine.ask("clean", texts=known)
    expected = [clean(text) for text in known]
    assert [t for t, own, its in zip(known, expected, found, strict=True) if own != its] == []


def test_only_characters_that_one_does_not_know_yet_are_invisible_to_one(engine: Engine) -> None:
    here = {
        code
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Cn")
    }
    there = {code for first, end in engine.ask("invisible") for code in range(first, end)}
    unknown = {code for code in here if unicodedata.category(chr(code)) == "Cn"}
    assert here - there <= unknown
    # The other way round only where this Python is the newer one.
    assert len(there) > 100_000
    assert not there - here or not here - there


def test_half_of_a_pair_is_left_out(engine: Engine) -> None:
    assert engine.ask("clean", texts=["a\ud800b", "\udfff"]) == ["ab", ""]


def test_ids_become_the_same_text(engine: Engine, tokenizer: Tokenizer) -> None:
    draw = random.Random(1)
    rows = tokenizer.encode_all(list(SENTENCES))
    rows += [draw.choices(range(3, len(tokenizer)), k=draw.randint(0, 9)) for _ in range(1500)]
    rows += [draw.choices(range(4, 260), k=draw.randint(1, 9)) for _ in range(1500)]  # bytes
    space = tokenizer.id("▁")
    rows += [[space, space, 300], [space], [], [261, space]]
    assert engine.ask("decode", rows=rows) == [tokenizer.decode(ids) for ids in rows]


SETTINGS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "symbols of the user": {"user_defined_symbols": ["<sep>", "ab", "😀", "Z"]},
    "no bytes": {"byte_fallback": False},
    "no normalisation": {"normalization_rule_name": "identity"},
    "folded case": {"normalization_rule_name": "nmt_nfkc_cf"},
    "no space before": {"add_dummy_prefix": False},
    "all spaces": {"remove_extra_whitespaces": False},
    "merged pairs": {"model_type": "bpe"},
    "merged pairs and symbols": {
        "model_type": "bpe",
        "byte_fallback": False,
        "user_defined_symbols": ["<sep>", "ab", "😀", "Z"],
    },
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_models_with_other_settings_are_read(
    engine: Engine, texts: list[str], setting: str, tmp_path: Path
) -> None:
    own: dict[str, Any] = {"byte_fallback": True, "model_type": "unigram", **SETTINGS[setting]}
    serialized = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(SENTENCES),
        model_writer=serialized,
        vocab_size=400,
        minloglevel=2,
        **own,
    )
    path = tmp_path / TOKENIZER
    path.write_bytes(serialized.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=serialized.getvalue())
    some = [text.replace("\u2019", "'") for text in without_halves(texts)[::13]]
    some = [text.replace("\u2018", "'").replace("\u02bc", "'") for text in some]
    some += ["a<sep>b", "ab ab  xab", "😀😀", "Zz Z", " ", "   a  b "]
    found = engine.ask("encode", texts=some, tokenizer=str(path))
    expected = processor.Encode(some)
    assert [t for t, own, its in zip(some, expected, found, strict=True) if own != its] == []


@pytest.mark.parametrize("content", [b"", b"\x0a\xff\xff", b"not a model at all" * 9])
def test_a_damaged_model_is_refused(engine: Engine, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / TOKENIZER
    path.write_bytes(content)
    with pytest.raises(EngineError, match=r"tokenizer\.model: not a SentencePiece model"):
        engine.ask("encode", texts=["a"], tokenizer=str(path))
