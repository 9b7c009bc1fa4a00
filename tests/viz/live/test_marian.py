"""Models made elsewhere (Marian's, as OPUS-MT) do the same in the page as in Python."""

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch

from model import Beam, Greedy, Translator, load_translator
from model.checkpoints import live
from model.checkpoints.checkpoint import WEIGHTS
from model.checkpoints.live import live_files
from model.decoding.steps import Strategy
from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutReLU
from model.interventions.donors import Donors
from model.interventions.link_text import read, write
from model.interventions.table import INTERVENTIONS
from model.recording.recording import record
from model.sites.sites import Head
from model.words import WORD_START
from tests.fixtures.marian_folder import SENTENCES, TINY, TRANSLATIONS, write_marian
from tests.model.interventions.samples import (
    DONOR,
    DONOR_IDS,
    DONOR_TARGET,
    SAMPLES,
    SOURCE,
    SOURCE_TOKENS,
    TARGET,
    TARGET_TOKENS,
)
from tests.viz.live.engine import Engine, EngineError, assert_alike
from tests.viz.live.test_decoder_message import asked as decoder_asked
from tests.viz.live.test_decoder_message import assert_near
from tests.viz.live.test_decoder_message import read as read_message
from tests.viz.live.test_decoding import settings
from tests.viz.live.test_tokenizer import without_halves
from tests.viz.live.test_trace_message import assert_same
from tests.viz.live.texts import many
from viz.compute import models, runs
from viz.compute.live import checkpoint_of
from viz.compute.runs import Subject
from viz.pages.decoder.scene import scene_of
from viz.pages.decoder.step_decoder.payload import encode
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.site.effects import effect_message
from viz.site.trace import message

SHAPES: dict[str, dict[str, int | bool | str]] = {
    "usual": {},
    "gelu": {"activation_function": "gelu", "scale_embedding": False},
    "own pieces": {"share_encoder_decoder_embeddings": False, "activation_function": "relu"},
    "own output": {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
}
OURS = SENTENCES[1]


def merging() -> bytes:
    """Train a SentencePiece model that merges pairs."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(SENTENCES),
        model_writer=written,
        model_type="bpe",
        vocab_size=90,
        minloglevel=2,
    )
    return written.getvalue()


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    """A model whose sides have their own pieces, with a token of a language and two added ones."""
    folder = write_marian(
        tmp_path_factory.mktemp("marian") / "one", {**TINY, **SHAPES["own pieces"]}
    )
    return load_translator(folder)


@pytest.fixture(scope="module")
def engine(marian: Translator) -> Iterator[Engine]:
    with Engine() as opened:
        opened.open_files(live_files(checkpoint_of(marian)))
        yield opened


def test_texts_have_the_same_pieces_on_both_sides(engine: Engine, marian: Translator) -> None:
    made = [
        f"{start}{text}"
        for text in (*SENTENCES, *TRANSLATIONS)
        for start in ("", ">>fra<<", ">>x<< ")
    ]
    texts = [
        *without_halves(many(24_000)[::40]),
        *made,
        "",
        ">>",
        "<unk>",
        "</s> a",
        "日本 The 猫猫 animal",
    ]
    for side, tokenizer in zip(("tokenizer", "targetTokenizer"), marian.tokenizers, strict=True):
        found = engine.ask("encode", texts=texts, side=side)
        expected = tokenizer.encode_all(texts)
        assert [t for t, own, its in zip(texts, expected, found, strict=True) if own != its] == []


def test_ids_become_the_text_of_the_target(engine: Engine, marian: Translator) -> None:
    draw = random.Random(1)
    pieces = range(len(marian.target_tokenizer))
    rows = [draw.choices(pieces, k=draw.randint(0, 9)) for _ in range(1500)]
    assert engine.ask("decode", rows=rows) == [marian.target_tokenizer.decode(row) for row in rows]


@pytest.mark.parametrize("setting", ["added", "merged"])
def test_added_tokens_and_merged_pairs_are_cut_alike(setting: str, tmp_path: Path) -> None:
    folder = write_marian(tmp_path / "one", TINY, size=200)
    pieces = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    if setting == "added":
        last = {"unused1": "<x>", "unused2": "a+b", "unused3": "a+b?"}
        added = {own: pieces.pop(name) for name, own in last.items()}
        moved = dict(zip(pieces, range(len(pieces)), strict=True))
        added = dict(zip(added, range(len(moved), len(moved) + len(added)), strict=True))
        (folder / "vocab.json").write_text(json.dumps(moved), encoding="utf-8")
        (folder / "added_tokens.json").write_text(json.dumps(added), encoding="utf-8")
    else:
        (folder / "source.spm").write_bytes(merging())
    translator = load_translator(folder)
    texts = [*SENTENCES, "a+b?<x> The a+b a+b+b <x", *without_halves(many(24_000)[::90])]
    with Engine() as opened:
        opened.open_files(live_files(checkpoint_of(translator)))
        found = opened.ask("encode", texts=texts)
    expected = translator.tokenizer.encode_all(texts)
    assert [t for t, own, its in zip(texts, expected, found, strict=True) if own != its] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_is_translated_and_every_site_is_the_same(shape: str, tmp_path: Path) -> None:
    translator = load_translator(write_marian(tmp_path / "one", {**TINY, **SHAPES[shape]}))
    last = translator.model.get_parameter("decoder.layers.1.norm3.weight")
    last.normal_()  # or a piece would follow itself
    assert len({translator.translate(text).tokens for text in SENTENCES}) > 2
    with Engine() as opened:
        opened.open_files(live_files(checkpoint_of(translator)))
        for text in SENTENCES:
            for strategy in (Greedy(), Beam(4)):
                same_translation(opened, translator, text, strategy)
            target = translator.translate(text).ids
            expected = translator.record(text, list(target))
            found = opened.arrays(opened.ask("record", text=text, target=target))
            assert set(found) == set(translator.config.sites())
            assert_alike(found, expected.arrays)


def same_translation(engine: Engine, translator: Translator, text: str, strategy: Strategy) -> None:
    expected = translator.translate(text, strategy)
    found = engine.ask("translate", text=text, strategy=settings(strategy))
    assert (found["ids"], found["text"]) == (list(expected.ids), expected.text)
    assert found["tokens"] == list(expected.tokens)
    assert found["logProb"] == pytest.approx(expected.log_prob, abs=1e-3)


@pytest.mark.parametrize("kind", INTERVENTIONS, ids=lambda kind: kind.__name__)
def test_a_sample_is_the_same_in_every_site(
    engine: Engine, marian: Translator, kind: type[Intervention], tmp_path: Path
) -> None:
    files = live_files(checkpoint_of(marian))
    weights = tmp_path / WEIGHTS
    weights.write_bytes(files["weights"][1])
    samples = SAMPLES[kind]
    found = engine.ask(
        "recordIds",
        config=files["config"][1].decode(),
        weights=str(weights),
        source=SOURCE,
        target=TARGET,
        edits=[write(sample.interventions) for sample in samples],
        donors={DONOR: [DONOR_IDS, DONOR_TARGET]},
    )
    ids = {DONOR: DONOR_IDS}.__getitem__, {DONOR: DONOR_TARGET}.__getitem__
    names = list(SOURCE_TOKENS), list(TARGET_TOKENS)
    for sample, entries in zip(samples, found, strict=True):
        donors = Donors(marian.model, SOURCE, *ids)
        given = marian.model, SOURCE, TARGET, *names, sample.interventions
        assert_alike(engine.arrays(entries), record(*given, donors=donors).arrays)


def test_what_stands_for_relu_is_named_where_it_is_left_out(tmp_path: Path) -> None:
    translator = load_translator(write_marian(tmp_path / "one", TINY))
    change = LeaveOutReLU("encoder", 1)
    with Engine() as opened:
        opened.open_files(live_files(checkpoint_of(translator)))
        with pytest.raises(ValueError, match="swish in place of ReLU"):
            translator.record(OURS, [5], [change])
        with pytest.raises(EngineError, match="swish in place of ReLU"):
            opened.ask("record", text=OURS, target=[5], edits=write([change]))


def test_large_weights_are_written_in_half_precision(
    marian: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = live_files(checkpoint_of(marian))["weights"][1]
    monkeypatch.setattr(live, "HALVED", 0)
    halved = live_files(checkpoint_of(marian))
    assert len(halved["weights"][1]) < 0.6 * len(whole)
    target = list(marian.translate(OURS).ids)
    with Engine() as opened:
        opened.open_files(halved)
        found = opened.arrays(opened.ask("record", text=OURS, target=target))
    logits = marian.record(OURS, target).logits
    assert torch.allclose(torch.tensor(found["decoder.logits"]), torch.tensor(logits), atol=2e-2)


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A model whose sides have their own pieces, in force in Python, too."""
    sizes = {**TINY, **SHAPES["own output"]}
    folder = write_marian(tmp_path_factory.mktemp("marian") / "apart", sizes)
    with pytest.MonkeyPatch.context() as patch, Engine() as opened:
        patch.setenv(models.NAMED_AT_START, str(folder))
        opened.open_files(live_files(checkpoint_of(runs.translator())))
        yield opened


def test_pages_name_the_pieces_of_each_side(apart: Engine) -> None:
    run = runs.run(OURS)
    sides = {"queries": run.recording.target_tokens, "keys": run.recording.source_tokens}
    explored = apart.ask("exploredRun", text=OURS)["header"]
    asked: Any = {"kind": "cross", "layer": 1, "head": 2, "word": None, "step": 3}
    focus = {"focus": asked, "opens": None, "aligned": None, "teaching": {}, "story": []}
    header = apart.ask("head", text=OURS, **focus)["header"]
    for name, tokens in sides.items():
        assert header[name] == [token.replace(WORD_START, "\u00b7") for token in tokens]
    shown = [list(explored[side]["tokens"]) for side in ("target", "source")]
    assert shown == [list(tokens) for tokens in sides.values()]


@pytest.mark.parametrize("edits", ["", "zero.c.1-2.1-4_hide.2-3"])
def test_the_effect_of_a_change_is_told_alike(apart: Engine, edits: str) -> None:
    expected = effect_message(OURS, read(edits).interventions, step=2, view=Head("cross", 1, 2))
    asked = {"view": {"kind": "cross", "layer": 1, "head": 2}, "rivals": {}, "step": 2}
    found = apart.ask("effect", text=OURS, edits=edits, foreseen="", **asked)["header"]
    header = json.loads(json.dumps(expected.header))
    del header["arrays"]
    assert near(found) == near(header)


def near(told: Any) -> Any:  # noqa: ANN401
    """Take every number of a header as near another; those of bytes may differ by one."""
    if isinstance(told, dict):
        return {name: near(one) for name, one in told.items()}
    if isinstance(told, list):
        return [near(one) for one in told]
    return told if isinstance(told, str | bool | None) else pytest.approx(told, abs=1.01)


def test_a_trace_is_told_alike(apart: Engine) -> None:
    found = apart.ask("trace", text=OURS, donor=SENTENCES[0], part="residual")
    assert_same(found, message(OURS, SENTENCES[0], "residual"))


def test_the_steps_of_a_decode_are_told_alike(apart: Engine) -> None:
    view = DecoderView(given="Le chat dort.", branch=1)
    expected, _arrays = read_message(encode(scene_of(Subject(OURS), view, ""), {}))
    found = apart.ask("decoder", text=OURS, **decoder_asked(view, {}))
    assert_near(found["header"], expected)
