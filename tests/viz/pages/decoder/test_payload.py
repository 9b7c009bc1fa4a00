"""The message to the browser: every number arrives, under the name that scene.js reads."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.decoding.steps import Candidate, Choice
from model.results import Translation
from model.transformer.config import ModelConfig
from viz.components.component import bundle
from viz.components.message import LEVELS
from viz.compute.decodes import Decoding
from viz.pages.decoder import step_decoder
from viz.pages.decoder.step_decoder import message
from viz.pages.decoder.step_decoder.branch import Branch, Scene
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.pages.decoder.step_decoder.words import decoder_words

SCRIPT = bundle(Path(step_decoder.__file__).parent / "assets" / "main.js")
LAYERS, HEADS, STEPS, SOURCE, EXACT, BANDS = 2, 3, 4, 5, 6, 2


CONFIG = ModelConfig(
    vocab_size=40, d_model=12, heads=HEADS, d_ff=8, encoder_layers=1, decoder_layers=LAYERS
)
TOKENS = tuple(f"▁p{at}" for at in range(CONFIG.vocab_size))


def random_decoding(seed: int, steps: int = STEPS) -> Decoding:
    random = np.random.default_rng(seed)
    pieces = [Candidate(at, -0.5 * at) for at in range(steps)]
    return Decoding(
        tuple(Choice((), piece, (piece,), 1) for piece in pieces),
        Translation("p0 p1 p2 p3", TOKENS[:STEPS], tuple(range(STEPS)), -3.0),
        tuple("abcde"),
        random.random((LAYERS, HEADS, STEPS, STEPS), dtype=np.float32),
        random.random((LAYERS, HEADS, STEPS, SOURCE), dtype=np.float32),
        np.tri(STEPS, dtype=bool),
        random.random((STEPS, EXACT), dtype=np.float32),
        random.random((STEPS, BANDS), dtype=np.float32),
        (9, 25),
    )


def random_branch(seed: int) -> Branch:
    return Branch("free", 0, 0, random_decoding(seed))


def scene(*branches: Branch, node: Branch | None = None) -> Scene:
    return Scene(CONFIG, TOKENS, branches, node, None, "")


def read(sent: bytes) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(sent[:4], "little")
    return json.loads(sent[4 : 4 + length]), sent[4 + length :]


def test_arrays_arrive_in_order_branch_after_branch() -> None:
    branches = [random_branch(1), random_branch(2), random_branch(3)]
    header, body = read(message(scene(*branches[:2], node=branches[2]), DecoderView(), ""))
    assert len(header["branches"]) == 3
    for decoding in (branch.decoding for branch in branches):
        for weights in (decoding.self_attn, decoding.cross_attn):
            found = np.frombuffer(body[: weights.size], np.uint8).reshape(weights.shape)
            np.testing.assert_allclose(found / LEVELS, weights, atol=0.5 / LEVELS + 1e-6)
            body = body[weights.size :]
        np.testing.assert_array_equal(
            np.frombuffer(body[: STEPS * STEPS], np.uint8).reshape(STEPS, STEPS), decoding.mask
        )
        body = body[STEPS * STEPS :]
        for odds in (decoding.exact, decoding.bands):
            found = np.frombuffer(body[: 4 * odds.size], "<f4").reshape(odds.shape)
            np.testing.assert_array_equal(found, odds)
            body = body[4 * odds.size :]
    assert body == b""


def test_the_header_says_what_was_chosen_and_answered() -> None:
    view = DecoderView("beam", width=3, step=2)
    header, _ = read(message(scene(random_branch(1)), view, "turn 7"))
    assert header["view"]["strategy"] == "beam"
    assert header["view"]["width"] == 3
    assert header["turn"] == "turn 7"
    assert header["branches"][0]["steps"][3]["chosen"] == [3, "▁p3", -1.5]


def test_a_step_that_is_not_taken_yet_has_no_piece() -> None:
    node = replace(random_branch(2), kind="node", open=True)
    header, _ = read(message(scene(random_branch(1), node=node), DecoderView(), ""))
    taken = [step["chosen"] is not None for step in header["branches"][1]["steps"]]
    assert taken == [True] * (STEPS - 1) + [False]
    assert header["branches"][0]["steps"][-1]["chosen"]


def test_arrays_that_do_not_fit_the_steps_are_refused() -> None:
    with pytest.raises(ValueError, match="self_attn has 4 rows for 3 steps"):
        random_decoding(1, steps=3)


def test_the_line_of_a_step_names_the_heads_that_look_before_the_key() -> None:
    words = decoder_words()
    for name in ("found", "found open", "found off", "found open off"):
        assert words[name].startswith("{place}")


def test_every_word_that_the_script_asks_for_exists_and_none_is_idle() -> None:
    text, words = SCRIPT, decoder_words()
    asked = re.findall(r'words(?:\.(\w+)|\["([^"]+)"\])', text)
    assert {plain or quoted for plain, quoted in asked} <= set(words)
    built = re.compile(r"\w+ hint|tab \w+|why \w+|dim \w")  # names put together in the script
    named = {name for name in words if f'"{name}"' in text or f"words.{name}" in text}
    assert {name for name in words if not built.fullmatch(name)} <= named
