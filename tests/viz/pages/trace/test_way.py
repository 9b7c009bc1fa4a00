"""The way of the answer through maps made by hand."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from model.recording.trace import Decided, Trace
from viz.pages.trace.finding import told, where_it_passes
from viz.pages.trace.way import way

NAN = np.nan
ENCODER = [[NAN] * 4, [0, 0, 0.4, 1.01], [1, 0.98, 0.13, 0], [0, 0, 0.01, 0.02]]
DECODER = [[0, 0, 0, 0], [0, 0, 0.25, 1]]


def trace(encoder: object, decoder: object = DECODER) -> Trace:
    maps: dict[str, NDArray[np.float64]] = {
        "encoder": np.array(encoder, float),
        "decoder": np.array(decoder, float),
    }
    return Trace(
        "residual",
        False,
        ((1, 2, 3, 4), (1, 2, 3, 4)),
        "other",
        Decided((1, 2), (3, 4)),
        (1.0, -1.0),
        MappingProxyType({}),
        MappingProxyType(maps),  # pyrefly: ignore[bad-argument-type]
    )


def test_the_answer_passes_from_the_last_cell_that_holds_it_to_the_next_that_does() -> None:
    found = way(trace(ENCODER))
    assert found.passes == (((2, 1), (1, 3)),)  # in column 2 no vector has half of the answer
    assert found.ends == (2, 1)
    assert found.read == (1, 3)


def test_a_token_that_holds_the_answer_beside_another_has_taken_it_already() -> None:
    """Both directions of the well-known pair: the later token suffices earlier when restored."""
    tired, it = [1, 1, 1.0, 0], [0, 0, 0.95, 1]
    found = way(trace([it, tired]))
    assert found.passes == (((1, 1), (0, 2)),)
    assert "layer 2" in told(where_it_passes(trace([it, tired]), ["it", "tired"], ("il", "elle")))
    late = trace([[0, 0, 0, 1], [1, 1, 0.05, 0]])
    assert "layers 2 to 3" in told(where_it_passes(late, ["it", "tired"], ("il", "elle")))


def test_a_cell_that_pushes_the_answer_the_other_way_does_not_hold_it() -> None:
    assert way(trace([[-1, -1, -1], [0, 0, 0]])).ends == (None, None)


def test_a_word_that_shares_the_answer_at_the_input_is_not_where_it_comes_from() -> None:
    said = told(where_it_passes(trace([[0.3, 0.9, 0], [0.2, 0, 1]]), ["▁old", "▁cat"], ("a", "b")))
    assert "**old**" not in said
    assert "**cat**" in said


def test_an_answer_that_stays_says_with_how_much_of_it() -> None:
    said = told(where_it_passes(trace([[0, 0, 0], [1, 0.85, 0.79]]), ["▁a", "▁b"], ("c", "d")))
    assert "**b**" in said
    assert "79%" in said


def test_restored_maps_have_the_same_way() -> None:
    given = trace(ENCODER)
    maps = {kind: 1 - values for kind, values in given.maps.items()}
    restored = replace(given, restored=True, maps=MappingProxyType(maps))
    assert way(restored) == way(given)


@pytest.mark.parametrize(("least", "arrives"), [(0.1, False), (0.9, True)])
def test_an_answer_arrives_where_the_memory_has_most_of_it(least: float, arrives: bool) -> None:
    found = trace([[0, 0, least], [1, 0.9, 0]])
    assert (way(found).ends[1] is not None) == arrives
    assert ("moves from" in told(where_it_passes(found, ["▁a", "▁b"], ("il", "elle")))) == arrives


def test_without_effects_there_is_no_way() -> None:
    found = way(trace(np.zeros((3, 4)), np.zeros((2, 4))))
    assert (found.passes, found.ends, found.read) == ((), (None, None), None)


def test_an_answer_that_stays_passes_nowhere() -> None:
    found = way(trace([[0, 0, 0], [1, 1, 1]]))
    assert found.passes == ()
    assert found.ends == (1, 1)


@pytest.mark.parametrize(
    ("encoder", "told_of"),
    [
        ([[0, 0, 0, 0], [1, 0.9, 0.6, 0.3]], "from encoder layer 3 on"),
        ([[0, 0.2, 0.7, 0.1], [0.4, 0.3, 0, 0]], "In encoder layer 2 **a** holds most"),
        ([[0, 0, 0, 0], [1, 0.9, 0.3, 0.9]], "not in every layer"),
    ],
)
def test_what_no_vector_holds_in_the_end_or_between_is_said_of_those_layers_alone(
    encoder: object, told_of: str
) -> None:
    said = told(where_it_passes(trace(encoder), ["▁a", "▁b"], ("c", "d")))
    assert told_of in said
    assert "No vector" not in said
