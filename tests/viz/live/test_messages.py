"""Messages that the page makes are those that Python makes."""

import json
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model import load_translator
from model.interventions import link_text
from model.sites.sites import KINDS
from model.words import word_numbers
from tests.fixtures.explorer_recordings import recording
from tests.sentences import FIRST_SENTENCE
from tests.viz.live.engine import Engine, part
from tests.viz.live.texts import SENTENCES, is_known, odd
from viz.components.attention_explorer.payload import encode
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.components.message import quantise, quantise_rows
from viz.compute.taken import value_lengths
from viz.link import edits
from viz.link.offers import head_offers

SENT = ("sentence", "translation", "kinds", "source", "target", "start")
"""The part of the header that depends on the sentence."""


def ours(given: ExplorerRecording) -> dict[str, Any]:
    message = encode(given, {}, {})
    header = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    return {name: header[name] for name in SENT}


def as_tensor(array: NDArray[np.float32]) -> dict[str, Any]:
    return {"shape": array.shape, "values": array.astype(float).ravel().tolist()}


def values_of(given: ExplorerRecording) -> dict[str, NDArray[np.float32]]:
    """Make up values (L, H, key, Dk): a head of one direction, so their lengths are exact."""
    rng = np.random.default_rng(len(given.masked))
    sizes = {
        kind: (*given.weights(kind).shape[:2], given.weights(kind).shape[3], 1) for kind in KINDS
    }
    return {kind: rng.normal(size=size).astype(np.float32) for kind, size in sizes.items()}


def as_given(given: ExplorerRecording) -> dict[str, Any]:
    """Write a recording as JSON, each weight as the number that single precision has."""
    return {
        "sentence": given.sentence,
        "translation": given.translation,
        "sourceTokens": given.source_tokens,
        "targetTokens": given.target_tokens,
        "predictedTokens": given.predicted_tokens,
        "masked": sorted(given.masked),
        "weights": {kind: as_tensor(given.weights(kind)) for kind in given.kinds},
        "v": {kind: as_tensor(values) for kind, values in values_of(given).items()},
    }


def assert_same_header(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for kind, own in expected["kinds"].items():
        its = found["kinds"][kind]
        assert list(its["statistics"]) == list(own["statistics"])
        for name, values in own.pop("statistics").items():
            np.testing.assert_allclose(its["statistics"][name], values, atol=1.5e-3, err_msg=name)
        del its["statistics"]
    assert found == expected


def with_masked(given: ExplorerRecording, places: frozenset[int]) -> ExplorerRecording:
    """Take the weight of masked places away."""
    shown = np.array([place not in places for place in range(len(given.source_tokens))])
    encoder, cross = (given.weights(kind) * shown for kind in ("encoder", "cross"))
    encoder, cross = (left / left.sum(axis=-1, keepdims=True) for left in (encoder, cross))
    return replace(given, masked=places, encoder=encoder, cross=cross)


@pytest.mark.parametrize("seed", range(3))
def test_the_explorer_gets_the_same_message(engine: Engine, seed: int) -> None:
    given = recording(seed=seed)
    if seed:
        given = with_masked(given, frozenset({3, 4, 7}))
    found = engine.ask("explorer", **as_given(given))
    assert_same_header(found["header"], ours(given))
    for kind in given.kinds:
        expected = quantise_rows(given.weights(kind))
        assert found["arrays"][kind]["shape"] == list(expected.shape)
        assert found["arrays"][kind]["values"] == expected.ravel().tolist()
    for kind, values in values_of(given).items():
        lengths = np.abs(values[..., 0]).astype(float)
        shares = quantise(lengths / lengths.max(axis=-1, keepdims=True))
        assert found["arrays"][f"lengths {kind}"]["shape"] == list(shares.shape)
        assert found["arrays"][f"lengths {kind}"]["values"] == shares.ravel().tolist()


def test_a_run_gets_the_message_of_its_recording(engine: Engine) -> None:
    translator = load_translator()
    run = translator.run(FIRST_SENTENCE)
    kinds = {kind: run.recording.attention(kind) for kind in ("encoder", "decoder", "cross")}
    given = replace(
        recording(),
        source_tokens=tuple(run.recording.source_tokens),
        target_tokens=tuple(run.recording.target_tokens),
        predicted_tokens=(*run.translation.tokens, "</s>"),
        sentence=FIRST_SENTENCE,
        translation=run.translation.text,
        encoder=kinds["encoder"],
        decoder=kinds["decoder"],
        cross=kinds["cross"],
    )
    found = engine.ask("exploredRun", text=FIRST_SENTENCE)
    assert_same_header(found["header"], ours(given))
    for kind, weights in kinds.items():
        levels = np.array(found["arrays"][kind]["values"], dtype=int).reshape(weights.shape)
        assert np.abs(levels - quantise_rows(weights).astype(int)).max() <= 1
    for kind, lengths in (value_lengths(run.recording) or {}).items():
        levels = np.array(found["arrays"][f"lengths {kind}"]["values"]).reshape(lengths.shape)
        shares = lengths / lengths.max(axis=-1, keepdims=True)
        assert np.abs(levels - 255 * shares).max() <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "zero.e.6.4",
        "mean.c.1-2.3~5_lift.d_turn.e.3.2.6-4",
        "turn.c.2.4-5.all_zero.d.1.1",
        "skip.d.2_sub.e.3.attn_sub.d.5.cross_sub.e.1.ffn",
    ],
)
def test_a_head_is_offered_the_same(
    engine: Engine, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = link_text.read(text).interventions
    monkeypatch.setattr(edits, "interventions", lambda: changes)
    expected = {name: head_offers()[name] for name in ("off", "on", "turn", "cut", "leftOut")}
    assert engine.ask("offers", edits=text) == json.loads(json.dumps(expected))


def test_each_change_can_be_undone_alone(engine: Engine) -> None:
    text = "hide.2-3_lift.d_zero.e.1-2.3~5_mean.c.4.1"
    changes = link_text.read(text).interventions
    config = json.dumps(load_translator().config.to_dict())
    told = engine.ask("groups", edits=text, config=config, source=[])
    for group, found in zip(link_text.groups(changes), told, strict=True):
        others = [one for one in changes if one not in group]
        assert found["text"] == link_text.write_group(group)
        assert found["without"] == link_text.write(others)


def test_pieces_make_the_same_words(engine: Engine) -> None:
    tokenizer = load_translator().tokenizer
    made = odd(seed=2)
    texts = [*part(SENTENCES, 100), *filter(is_known, islice(made, 800))]
    rows = [["<s>", *tokenizer.tokens(tokenizer.encode(text)), "</s>"] for text in texts]
    rows += [["▁", "ab", "-", "c", "'", "t", "'", "x", ".", "<0xC3>", "<0xA9>", "<0xFF>", "她"]]
    found = engine.ask("words", rows=rows)
    assert [r for r, own in zip(rows, found, strict=True) if own != word_numbers(r)] == []
