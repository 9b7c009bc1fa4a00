"""A recording is a mapping by the names of its sites, and short wherever it is shown."""

import re

import numpy as np
import pytest

from model.recording.recording import Recording
from model.results import Run
from model.translator import Translator
from viz.sharing.kept import sizes


@pytest.fixture(scope="module")
def run(translator: Translator) -> Run:
    return translator.run("The cat sleeps.")


@pytest.fixture(scope="module")
def recording(run: Run) -> Recording:
    return run.recording


def test_it_has_what_a_mapping_has(recording: Recording) -> None:
    names = [site.name for site in recording.sites()]
    assert list(recording) == list(recording.keys()) == names
    assert len(recording) == len(names)
    assert all(value is recording[name] for name, value in recording.items())
    assert "encoder.memory" in recording
    for other in ("encoder.9.ffn.out", "encoder.*.ffn.out", 0):
        assert other not in recording
    assert recording.get("encoder.memories") is None


def test_a_pattern_stacks_the_sites_it_names_in_their_order(recording: Recording) -> None:
    found = recording["encoder.*.ffn.out"]
    layers = range(recording.config.encoder_layers)
    np.testing.assert_array_equal(found, [recording[f"encoder.{n}.ffn.out"] for n in layers])
    with pytest.raises(ValueError, match=r"'decoder\.\*' names \d+ sites that differ in shape"):
        recording["decoder.*"]
    with pytest.raises(KeyError, match=r"^nothing is recorded under 'encoder\.\*\.fnn\.out'; did"):
        recording["encoder.*.fnn.out"]


def test_two_recordings_are_equal_only_when_they_are_one(translator: Translator) -> None:
    one, other = (translator.record("The cat sleeps.", "Le chat dort.") for _ in range(2))
    assert one != other
    assert len({one, other, one}) == 2


def test_its_memory_is_still_counted_whole(recording: Recording) -> None:
    whole = {id(recording.arrays[name].base) for name in recording}
    assert sum(sizes(recording).values()) >= sum(array.nbytes for array in recording.values())
    assert len(sizes(recording)) >= len(whole)


def test_what_a_cell_ends_with_is_one_line_and_a_table_of_sites(
    run: Run, recording: Recording
) -> None:
    assert re.fullmatch(r"Recording\(\d+ source, \d+ target pieces, \d+ sites\)", repr(recording))
    for shown in (repr(run), repr(run.recording.sites)):
        assert repr(recording) in shown
        assert "\n" not in shown
        assert len(shown) < 300
    for table in (recording._repr_html_(), run._repr_html_()):
        assert len(table) < 20_000
        patterns = re.findall(r"<code>(.*?)</code>", table)
        assert len(set(patterns)) == len(patterns)
        assert "encoder.*.ffn.out" in patterns
        recording["encoder.*.ffn.out"]


def test_dollars_in_a_sentence_begin_no_formula(translator: Translator) -> None:
    run = translator.run("It costs $5 or $6.")
    text = re.findall(r">([^<]*)", run._repr_html_())
    assert sum(part.count("$") for part in text) >= 2
    assert all(part.count("$") <= 1 for part in text)
