"""Units: the tokens that drive them are those of the recordings, and the file comes back."""

from pathlib import Path

import numpy as np
import pytest

from model.measures.units import TOP, UNITS, load_units, measure_units, pack_units
from model.recording.sites import STACKS
from model.translator import Translator

TEXTS = ("The cat sleeps.", "My sister drinks water.", "The dog works at the bank.")


def test_the_tokens_that_drive_a_unit_are_found_again(translator: Translator) -> None:
    recordings = [translator.record(text, "Le chat dort.") for text in TEXTS]
    units = measure_units(iter(recordings), "abc")
    assert (units.sentences, units.sha256) == (3, "abc")
    for stack in STACKS:
        side = units.sides[stack]
        hidden = np.concatenate([one[f"{stack}.1.ffn.hidden"] for one in recordings])  # N F
        assert len(side.ids) == len(hidden)
        expected = np.sort(hidden, axis=0)[::-1][:TOP].T
        np.testing.assert_allclose(side.values[1], expected, atol=1e-6)
        np.testing.assert_allclose(side.fires[1], (hidden > 0).mean(axis=0), atol=1e-6)
        place = int(side.places[1, 7, 0])
        np.testing.assert_allclose(hidden[place, 7], side.values[1, 7, 0], atol=1e-6)
    ids, at = units.sides["encoder"].sentence(len(recordings[0].source_ids) + 2)
    assert (tuple(ids), at) == (recordings[1].source_ids, 2)


def test_units_come_back_from_their_file(translator: Translator, tmp_path: Path) -> None:
    units = measure_units([translator.record(TEXTS[0], "Le chat dort.")], "abc")
    (tmp_path / UNITS).write_bytes(pack_units(units))
    back = load_units(tmp_path)
    assert (back.sentences, back.sha256) == (1, "abc")
    for stack in STACKS:
        np.testing.assert_array_equal(back.sides[stack].places, units.sides[stack].places)
        np.testing.assert_allclose(back.sides[stack].values, units.sides[stack].values, atol=2e-3)


@pytest.mark.parametrize("content", [b"", b"PK no zip", None])
def test_a_missing_or_damaged_file_is_named(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / UNITS).write_bytes(content)
    with pytest.raises(ValueError, match=r"units\.npz: not the units of a model"):
        load_units(tmp_path)


def test_no_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match="no sentence"):
        measure_units([], "")
