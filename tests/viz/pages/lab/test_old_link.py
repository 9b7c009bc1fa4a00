"""What a link of before did to the positions, as interventions of today."""

import pytest

from viz.pages.lab.old_link import read
from viz.shell import intervention_link


@pytest.mark.parametrize(
    ("parameters", "edits"),
    [
        ({}, "scale.e.0.0"),
        ({"factor": "0.5", "stack": "decoder"}, "scale.d.0.5"),
        ({"change": "shuffled", "shuffle": "4", "stack": "both"}, "shuffle.d.4_shuffle.e.4"),
        ({"change": "shifted"}, "shift.e.50"),
        ({"change": "shifted", "by": "-20"}, "shift.e.-20"),
        ({"change": "repeated", "twice": "3", "stack": "decoder"}, "repeat.d.4"),
    ],
)
def test_an_old_link_is_read(parameters: dict[str, str], edits: str) -> None:
    assert intervention_link.write(read(parameters, 10, ())) == edits


@pytest.mark.parametrize(
    "parameters",
    [
        {"change": "shuffled", "shuffle": "21", "stack": "nowhere"},
        {"change": "shuffled", "shuffle": "x"},
        {"change": "shuffled", "shuffle": "nan"},
    ],
)
def test_what_makes_no_sense_is_as_it_stood_at_first(parameters: dict[str, str]) -> None:
    assert intervention_link.write(read(parameters, 10, ())) == "shuffle.e.1"


def test_a_position_beyond_the_sentence_makes_no_sense() -> None:
    link = {"change": "repeated", "twice": "8"}
    assert intervention_link.write(read(link, 10, ())) == "repeat.e.9"
    assert intervention_link.write(read(link, 9, ())) == "repeat.e.2"


def test_only_what_is_done_to_the_positions_is_replaced() -> None:
    before = intervention_link.read("zero.e.1.1_shift.d.3_scale.e.0.0").interventions
    assert intervention_link.write(read({"factor": "2"}, 10, before)) == "scale.e.2.0_zero.e.1.1"
