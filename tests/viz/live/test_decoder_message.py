"""The message of the step decoder that the page makes is that of Python."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.interventions import link_text
from tests.sentences import TIRED_OR_WIDE
from tests.viz.live.engine import Engine
from viz.compute import decodes, runs
from viz.compute.runs import Subject
from viz.link.branches import Forcing
from viz.pages.decoder.scene import scene_of
from viz.pages.decoder.step_decoder.payload import encode
from viz.pages.decoder.step_decoder.view import DecoderView

SENTENCE = TIRED_OR_WIDE.first


def forced_later() -> tuple[Forcing, ...]:
    """Force the second choice of two steps."""
    choices = decodes.decode(Subject(SENTENCE)).choices
    taken = tuple(choice.chosen.id for choice in choices)
    return tuple(
        Forcing(taken[:step], (choices[step].alternatives[1].id,)) for step in (2, len(taken) - 3)
    )


VIEWS: Mapping[str, DecoderView] = {
    "free": DecoderView(),
    "given": DecoderView(given="Le chat dort.", branch=1),
    "beam": DecoderView(strategy="beam", width=3, node=17),
    "sampled": DecoderView(strategy="sampling", temperature=1.3, top_k=50, top_p=0.9, seed=7),
}


def strategy(view: DecoderView) -> dict[str, Any]:
    own = {
        "greedy": {},
        "beam": {"width": view.width, "lengthPenalty": view.penalty},
        "sampling": {
            **{"temperature": view.temperature, "topK": view.top_k},
            **{"topP": view.top_p, "seed": view.seed},
        },
    }
    return {"name": view.strategy, **own[view.strategy]}


def read(message: bytes) -> tuple[dict[str, Any], dict[str, NDArray[np.generic]]]:
    at = 4 + int.from_bytes(message[:4], "little")
    header, arrays = json.loads(message[4:at]), {}
    for name, size, shape in header.pop("arrays"):
        dtype, count = {1: "u1", 4: "<f4"}[size], int(np.prod(shape))
        arrays[name] = np.frombuffer(message, dtype, count, at).reshape(shape)
        at += size * count
    return header, arrays


def asked(view: DecoderView, rivals: Mapping[int, int]) -> dict[str, Any]:
    says = {name: asdict(view)[name] for name in ("given", "branch", "node", "branches")}
    return {**says, "strategy": strategy(view), "rivals": {str(i): r for i, r in rivals.items()}}


def assert_near(found: object, expected: object) -> None:
    """Compare headers; log-probabilities may differ a little, and ranks far down."""
    if isinstance(expected, dict):
        assert isinstance(found, dict)
        assert list(found) == list(expected)
        for name, value in expected.items():
            assert_near(found[name], value)
    elif isinstance(expected, list):
        assert isinstance(found, list)
        assert len(found) == len(expected)
        for own, value in zip(found, expected, strict=True):
            assert_near(own, value)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-3)
    elif isinstance(expected, int) and expected > 100:  # a rank far down, among equals nearly
        assert found == pytest.approx(expected, rel=1e-3)
    else:
        assert found == expected


@pytest.mark.parametrize("name", [*VIEWS, "branches"])
@pytest.mark.parametrize("edits", ["", "zero.c.5.3_lift.d"])
def test_the_decoder_gets_the_same_message(engine: Engine, name: str, edits: str) -> None:
    forced = name == "branches"
    view = replace(VIEWS["free"], branches=forced_later(), branch=1) if forced else VIEWS[name]
    subject = Subject(SENTENCE, link_text.read(edits).interventions)
    ids = {choice.chosen.id for choice in decodes.decode(subject).choices}
    rivals = {id_: rival for id_ in ids if (rival := runs.rival(id_)) is not None}
    assert rivals
    expected, arrays = read(encode(scene_of(subject, view, ""), {}))
    found = engine.ask("decoder", text=SENTENCE, edits=edits, **asked(view, rivals))
    assert_near(found["header"], expected)
    assert list(found["arrays"]) == list(arrays)
    for name_, own in engine.arrays(found["arrays"]).items():
        tolerance = 1 if own.dtype == np.uint8 else 2e-3
        difference = np.abs(own.astype(float) - arrays[name_].astype(float)).max()
        assert difference <= tolerance, name_
