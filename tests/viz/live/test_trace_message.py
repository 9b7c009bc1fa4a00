"""The maps of a trace that the page makes are those of Python."""

from typing import Any

import numpy as np
import pytest

from model.interventions import link_text
from model.recording.trace import Part
from tests.sentences import TIRED_OR_WIDE
from tests.viz.live.engine import Engine, EngineError
from viz.compute import examples
from viz.site.trace import message

FIRST, SECOND = TIRED_OR_WIDE.first, TIRED_OR_WIDE.second
SHORT = "The man is my uncle.", "The woman is my uncle."


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for its, own in zip(found["maps"], expected["maps"], strict=True):
        values, wanted = (np.array(one.pop("values"), dtype=float) for one in (its, own))
        np.testing.assert_allclose(values, wanted, atol=1.01e-4)  # four decimals each
    np.testing.assert_allclose(found.pop("answers"), expected.pop("answers"), atol=1e-4)
    for arrow in expected["arrows"]:
        arrow["from"], arrow["to"] = list(arrow["from"]), list(arrow["to"])
    assert found == expected


VIEWS: list[tuple[Part, bool]] = [
    *[("residual", False), ("residual", True), ("sublayer", True)],
    *[("z", False), ("q", True), ("k", False), ("v", True)],
]


@pytest.mark.parametrize(("part", "restored"), VIEWS)
def test_the_maps_of_a_pair_are_the_same(engine: Engine, part: Part, restored: bool) -> None:
    first, second = SHORT
    found = engine.ask("trace", text=first, donor=second, part=part, restored=restored)
    assert_same(found, message(first, second, part, restored=restored))


def test_sentences_of_other_lengths_are_the_same(engine: Engine) -> None:
    first, second = "The cat sleeps on the mat.", "The black cat sleeps on a big chair."
    found = engine.ask("trace", text=first, donor=second, part="residual")
    expected = message(first, second, "residual")
    assert None in expected["maps"][0]["values"][2]
    assert_same(found, expected)


def test_a_pressed_cell_is_in_force_and_the_answer_follows(engine: Engine) -> None:
    cells = message(FIRST, SECOND, "residual")["maps"][0]
    values = np.array(cells["values"], dtype=float)
    row, column = np.unravel_index(np.nanargmax(values), values.shape)
    pressed = cells["edits"][row][column]
    known = [one["values"] for one in message(FIRST, SECOND, "residual")["maps"]]
    asked = {"donor": SECOND, "part": "residual", "edits": pressed, "values": known}
    found = engine.ask("trace", text=FIRST, **asked)
    assert found["maps"][0]["on"] == [[row, column]]
    assert found["maps"][0]["edits"][row][column] == ""
    interventions = link_text.read(pressed).interventions
    assert_same(found, message(FIRST, SECOND, "residual", interventions))


def test_sentences_that_never_part_are_refused(engine: Engine) -> None:
    with pytest.raises(EngineError, match="both sentences are translated alike"):
        engine.ask("trace", text=FIRST, donor=FIRST, part="residual")


def test_a_well_known_pair_is_traced_alike(engine: Engine) -> None:
    pair = min(examples.current().pairs, key=lambda one: len(one.first))
    found = engine.ask("trace", text=pair.first, donor=pair.second, part="residual")
    assert_same(found, message(pair.first, pair.second, "residual"))


def test_a_deciding_part_of_a_word_is_named_with_the_word(engine: Engine) -> None:
    first, second = "I like cherries.", "I like blueberries."
    found = engine.ask("trace", text=first, donor=second, part="residual")
    assert found["rivals"] == ["ce", "frais"]
    part = {"text": "piece", "values": {"piece": "ce", "whole": "cerises"}}
    assert found["finding"][0]["values"] == {"first": part, "second": "frais"}
    assert_same(found, message(first, second, "residual"))
