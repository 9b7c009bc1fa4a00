"""The message to the browser: every number arrives, under the name that scene.js reads."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viz.pages.decoder import step_decoder
from viz.pages.decoder.step_decoder import message
from viz.pages.decoder.step_decoder.branch import Branch, Piece, Scene, Step
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.pages.decoder.step_decoder.words import decoder_words
from viz.shared.component import bundle
from viz.shared.message import LEVELS

SCRIPT = bundle(Path(step_decoder.__file__).parent / "assets" / "main.js")
LAYERS, HEADS, STEPS, SOURCE, EXACT, BANDS = 2, 3, 4, 5, 6, 2


def random_branch(seed: int) -> Branch:
    random = np.random.default_rng(seed)
    steps = tuple(
        Step(Piece(at, f"▁p{at}", -0.5 * at), 1, False, None, (Piece(at, f"▁p{at}", -0.5 * at),))
        for at in range(STEPS)
    )
    return Branch(
        "free",
        0,
        0,
        "p0 p1 p2 p3",
        steps,
        random.random((LAYERS, HEADS, STEPS, STEPS), dtype=np.float32),
        random.random((LAYERS, HEADS, STEPS, SOURCE), dtype=np.float32),
        np.tri(STEPS, dtype=bool),
        random.random((STEPS, EXACT), dtype=np.float32),
        random.random((STEPS, BANDS), dtype=np.float32),
    )


def scene(*branches: Branch, node: Branch | None = None) -> Scene:
    tokens = tuple("abcde")
    return Scene(tokens, "<s>", 2, LAYERS, HEADS, 8, 40, (9, 25), branches, node, None, "")


def read(sent: bytes) -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(sent[:4], "little")
    return json.loads(sent[4 : 4 + length]), sent[4 + length :]


def test_arrays_arrive_in_order_branch_after_branch() -> None:
    branches = [random_branch(1), random_branch(2), random_branch(3)]
    header, body = read(message(scene(*branches[:2], node=branches[2]), DecoderView(), ""))
    assert len(header["branches"]) == 3
    for branch in branches:
        for weights in (branch.self_attn, branch.cross_attn):
            found = np.frombuffer(body[: weights.size], np.uint8).reshape(weights.shape)
            np.testing.assert_allclose(found / LEVELS, weights, atol=0.5 / LEVELS + 1e-6)
            body = body[weights.size :]
        np.testing.assert_array_equal(
            np.frombuffer(body[: STEPS * STEPS], np.uint8).reshape(STEPS, STEPS), branch.mask
        )
        body = body[STEPS * STEPS :]
        for odds in (branch.exact, branch.bands):
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


def test_arrays_that_do_not_fit_the_steps_are_refused() -> None:
    good = random_branch(1)
    with pytest.raises(ValueError, match="cross_attn has 4 rows for 3 steps"):
        Branch(
            good.kind,
            0,
            0,
            "",
            good.steps[:3],
            good.self_attn[:, :, :3, :3],
            good.cross_attn,
            good.mask[:3, :3],
            good.exact[:3],
            good.bands[:3],
        )


def test_every_word_that_the_script_asks_for_exists_and_none_is_idle() -> None:
    text, words = SCRIPT, decoder_words()
    asked = re.findall(r'words(?:\.(\w+)|\["([^"]+)"\])', text)
    assert {plain or quoted for plain, quoted in asked} <= set(words)
    built = re.compile(r"\w+ hint|tab \w+|why \w+|dim \w")  # names put together in the script
    named = {name for name in words if f'"{name}"' in text or f"words.{name}" in text}
    assert {name for name in words if not built.fullmatch(name)} <= named
