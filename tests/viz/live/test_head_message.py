"""The message of one head that the page makes is that of Python."""

import json
from typing import Any

import numpy as np
import pytest

from model.interventions import link_text
from model.sites.sites import KINDS, Head
from model.words import is_mute
from tests.sentences import TIRED_OR_WIDE
from tests.viz.live.engine import Engine
from viz.components.miniatures import tiled
from viz.compute import ancestors, examples, openings, runs
from viz.figures.weights import entropy
from viz.pages.head import numbers
from viz.pages.head.head_chain.payload import encode
from viz.pages.head.numbers import Teaching
from viz.pages.head.reading import picture, read
from viz.shell.off_heads import off_heads

SENTENCE = TIRED_OR_WIDE.first
ANYWHERE: dict[str, Any] = {"kind": None, "layer": None, "head": None, "word": None, "step": None}
EDITS = "zero.e.6.4_mean.c.2.1_uniform.d.1.2_lift.d_turn.c.2.4-5.all_skip.d.6_times.e.0.5"


def asked(engine: Engine, text: str, edits: str = "", **view: Any) -> dict[str, Any]:  # noqa: ANN401
    story = examples.current().story
    usual = {"focus": ANYWHERE, "opens": None, "aligned": ancestors.best_aligned(), "teaching": {}}
    words = list(story.source) if story else []
    return engine.ask("head", text=text, edits=edits, story=words, **{**usual, **view})


PLACES = [
    (Head("encoder", 5, 3), 7, "", {}),
    (Head("decoder", 1, 2), 4, "", {}),
    (Head("cross", 4, 2), 6, "", {}),
    *(
        (head, query, EDITS, teaching)
        for head, query in (
            (Head("encoder", 5, 3), 5),
            (Head("encoder", 2, 0), 3),
            (Head("decoder", 0, 1), 4),
            (Head("decoder", 5, 0), 1),
            (Head("cross", 1, 0), 3),
            (Head("cross", 3, 0), 1),
        )
        for teaching in ({}, {"divide": False, "temperature": 0.5})
    ),
    (Head("cross", 4, 2), 6, "", {"divide": False}),
    (Head("cross", 4, 2), 6, "", {"divide": True, "temperature": 2.5}),
]


@pytest.mark.parametrize(("head", "query", "edits", "teaching"), PLACES)
def test_a_chain_is_the_same(
    engine: Engine, head: Head, query: int, edits: str, teaching: dict[str, Any]
) -> None:
    run = runs.run(SENTENCE, link_text.read(edits).interventions)
    sublayer, recorded = read(run.recording, head)
    divides = sublayer.divides(head.head, query)
    taught = Teaching(**{"divide": divides, **teaching})
    chain = numbers.chain(sublayer, recorded, head.head, query, taught if teaching else None)
    message = encode(picture(run, head, sublayer, chain, query), {}, {})
    header = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    view = {"kind": head.kind, "layer": head.layer, "head": head.head}
    found = asked(
        engine,
        SENTENCE,
        edits,
        focus={**ANYWHERE, **view, "word": query, "step": query},
        teaching=teaching,
    )
    own = found["header"]
    assert own.pop("place") == {**view, "query": query}
    assert own.pop("divides") == divides
    assert own.pop("sentence") == SENTENCE
    assert own.pop("special") == [is_mute(token) for token in run.recording.tokens(head.kind)[0]]
    both = numbers.chain(sublayer, recorded, head.head, query), chain
    assert own.pop("entropy") == pytest.approx([entropy(one.weights) for one in both], abs=1e-4)
    assert not own.pop("mixes")
    assert own.pop("isOther") == numbers.other_formula(*both)
    assert own.pop("isSilent") == numbers.switched_off(recorded, head.head)
    for name in ("divisor", "temperature"):
        assert own.pop(name) == pytest.approx(header.pop(name), rel=1e-5)
    arrays = header.pop("arrays")
    assert own == {k: v for k, v in header.items() if k not in ("words", "colours")}
    given = picture(run, head, sublayer, chain, query)
    expected = {**given.numbers, **given.matrices}
    assert [name for name, _size, _shape in arrays] == list(expected)
    values = engine.arrays(found["arrays"])
    for name, array in expected.items():
        np.testing.assert_allclose(values[name], array, rtol=1e-3, atol=2e-4, err_msg=name)


@pytest.mark.parametrize("edits", ["", EDITS])
def test_the_boards_are_the_same(engine: Engine, edits: str) -> None:
    run = runs.run(SENTENCE, link_text.read(edits).interventions)
    found = asked(engine, SENTENCE, edits)
    values = engine.arrays(found["arrays"])
    for kind in KINDS:
        expected = tiled(run.recording.attention(kind)).astype(int)
        assert np.abs(values[f"tiles {kind}"].astype(int) - expected).max() <= 1
    off = off_heads(run.recording.interventions, run.recording.config)
    signs = {
        Head(kind, layer, head): sign
        for kind, layers in found["off"].items()
        for layer, heads in enumerate(layers)
        for head, sign in enumerate(heads)
        if sign
    }
    assert signs == off


def test_miniatures_of_long_sentences_are_the_same(engine: Engine) -> None:
    text = "The small boat drifted past the old harbour and the green hills, " * 4
    run = runs.run(text)
    values = engine.arrays(asked(engine, text)["arrays"])
    for kind in KINDS:
        expected = tiled(run.recording.attention(kind)).astype(int)
        assert values[f"tiles {kind}"].shape == expected.shape
        assert np.abs(values[f"tiles {kind}"].astype(int) - expected).max() <= 1


@pytest.mark.parametrize(
    "text",
    ["The small boat drifted past the harbour.", "My grandmother sings in the kitchen.", "Hello"],
)
def test_a_sentence_opens_at_the_same_head_and_query(engine: Engine, text: str) -> None:
    header = asked(engine, text)["header"]
    found = header["place"]
    mixing = next(iter(openings.mixing(text)), None)
    assert header["mixes"] == bool(mixing)
    if mixing:
        expected = vars(mixing)
    else:
        opened = openings.opening(text)
        layer, head = opened.head(opened.kind)
        expected = {"kind": opened.kind, "layer": layer, "head": head, "query": opened.query}
    assert found == expected
