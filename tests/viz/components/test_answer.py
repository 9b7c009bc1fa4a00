"""What a component sends is anything at all: it is refused with a word and harms nobody."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from viz.components.answer import whole
from viz.components.head_board import Press, pressed
from viz.components.token_row import token_row
from viz.figures.theme import LIGHT
from viz.pages.decoder.step_decoder import LONGEST, answer_of
from viz.pages.lab_masks.mask_board import MOST_CELLS, Stroke, drawn
from viz.pages.layers.architecture import architecture

INFINITE, MISSING = float("inf"), float("nan")
KEY = "component"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the reader was told."""
    told: list[str] = []
    monkeypatch.setattr(st, "toast", lambda text, icon: told.append(f"{icon} {text}"))
    return told


def send(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    monkeypatch.setattr(st, "session_state", {KEY: SimpleNamespace(**{name: value})})


@pytest.mark.parametrize("value", [0, 7, 3.0, 9999])
def test_a_whole_number_is_one_whatever_javascript_calls_it(value: float) -> None:
    assert whole(value) == value
    assert isinstance(whole(value), int)


@pytest.mark.parametrize(
    "value", [INFINITE, -INFINITE, MISSING, -1, 0.5, 1e300, True, None, "3", [3], {}]
)
def test_anything_else_is_none(value: object) -> None:
    assert whole(value) is None


def test_a_press_of_a_head_a_row_and_a_board_arrive(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    for layer, head in ((1, 2), (1, None), (None, None)):
        send(monkeypatch, "press", {"kind": "cross", "layer": layer, "head": head})
        assert pressed(KEY) == Press("cross", layer, head)
    assert said == []


def test_a_stroke_arrives_with_each_cell_once(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    send(monkeypatch, "stroke", {"forbid": True, "cells": [[0, 1], [2, 1.0], [0, 1]]})
    assert drawn(KEY) == Stroke(True, ((0, 1), (2, 1)))
    assert said == []


PRESSES = (
    None,
    "cross",
    {},
    {"kind": "elsewhere", "layer": 1, "head": 1},
    {"kind": ["cross"], "layer": 1, "head": 1},
    {"kind": "cross", "layer": INFINITE, "head": 1},
    {"kind": "cross", "layer": 1, "head": MISSING},
    {"kind": "cross", "layer": -1, "head": 1},
    {"kind": "cross", "layer": [1], "head": 1},
)
STROKES = (
    None,
    {"forbid": True},
    {"forbid": True, "cells": "all"},
    {"forbid": True, "cells": [[0, 1], [0]]},
    {"forbid": True, "cells": [[0, INFINITE]]},
    {"forbid": True, "cells": [[MISSING, 0]]},
    {"forbid": True, "cells": [[-1, 0]]},
    {"forbid": True, "cells": [[0, 0]] * (MOST_CELLS + 1)},
)
ANSWERS = (None, [], {"branch": {}}, {"typed": ["a"]}, {"typed": "a" * (LONGEST + 1)})


@pytest.mark.parametrize(
    ("name", "read", "sent"),
    [
        *(("press", pressed, sent) for sent in PRESSES),
        *(("stroke", drawn, sent) for sent in STROKES),
        *(("answer", answer_of, sent) for sent in ANSWERS),
    ],
)
def test_what_makes_no_sense_or_has_no_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    said: list[str],
    name: str,
    read: Callable[[str], object],
    sent: object,
) -> None:
    send(monkeypatch, name, sent)
    assert not read(KEY)
    assert len(said) == 1


Callback = Callable[[], None]


def handlers(monkeypatch: pytest.MonkeyPatch, module: str) -> dict[str, Callback]:
    """Let a module's component keep what it would call when the browser sends something."""
    kept: dict[str, Callback] = {}

    def draw(**given: Any) -> None:  # noqa: ANN401
        kept.update({name: one for name, one in given.items() if name.startswith("on_")})

    def renderer(_name: str, _entry: object) -> Callable[..., None]:
        return draw

    monkeypatch.setattr(f"{module}.renderer", renderer)
    return kept


@pytest.mark.parametrize("position", [None, INFINITE, MISSING, -2, "x"])
def test_a_token_that_makes_no_sense_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: list[str], position: object
) -> None:
    kept = handlers(monkeypatch, "viz.components.token_row")
    chosen: list[int] = []
    token_row("Piece", ["a", "b"], "piece", 0, "#000000", chosen.append)
    monkeypatch.setattr(
        st, "session_state", {"token row piece": SimpleNamespace(position=position)}
    )
    kept["on_position_change"]()
    assert len(said) == 1
    assert not chosen


@pytest.mark.parametrize("site", [None, [], "nowhere", "x" * 10_000, INFINITE])
def test_a_block_that_makes_no_sense_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: list[str], site: object
) -> None:
    kept = handlers(monkeypatch, "viz.pages.layers.architecture")
    monkeypatch.setattr("viz.pages.layers.architecture._data", lambda *_given: {})
    names = "encoder.0.ffn.out", "decoder.logits"
    sites = [SimpleNamespace(name=name, shape=(3, 256)) for name in names]
    run: Any = SimpleNamespace(recording=SimpleNamespace(sites=lambda: sites))
    architecture(run, names[0], LIGHT)
    monkeypatch.setattr(st, "session_state", {"architecture": SimpleNamespace(site=site)})
    kept["on_site_change"]()
    assert len(said) == 1
