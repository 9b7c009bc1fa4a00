"""Units: the tokens that drive them are those of the recordings, and the file comes back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.measures.units import TOP, UNITS, StackUnits, load_units, measure_units, pack_units
from model.sites.sites import STACKS, Stack
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
        for unit in range(len(side.values[1])):
            drivers = hidden[side.places[1, unit], unit]
            np.testing.assert_allclose(drivers, side.values[1, unit], atol=1e-6)
    ids, at = units.sides["encoder"].sentence(len(recordings[0].source_ids) + 2)
    assert (tuple(ids), at) == (recordings[1].source_ids, 2)
    for number, recording in enumerate(recordings):
        start = sum(len(one.target_ids) for one in recordings[:number])
        ids, at = units.sides["decoder"].sentence(start)
        assert (tuple(ids), at) == (recording.target_ids, 0)


def test_a_stack_with_fewer_tokens_than_are_kept_repeats_none(translator: Translator) -> None:
    side = measure_units([translator.record("Yes.", "")], "").sides["decoder"]
    assert len(side.ids) < TOP
    assert not side.values[..., len(side.ids) :].any()


def test_units_come_back_from_their_file(translator: Translator, tmp_path: Path) -> None:
    recordings = [translator.record(text, "Le chat dort.") for text in TEXTS]
    units = measure_units(recordings, "abc")
    (tmp_path / UNITS).write_bytes(pack_units(units))
    back = load_units(tmp_path)
    assert (back.sentences, back.sha256) == (3, "abc")
    for stack in STACKS:
        for name in ("ids", "starts", "places"):
            found = getattr(back.sides[stack], name)
            np.testing.assert_array_equal(found, getattr(units.sides[stack], name))
            assert found.dtype == np.int64
        for name in ("values", "fires"):
            found = getattr(back.sides[stack], name)
            np.testing.assert_allclose(found, getattr(units.sides[stack], name), atol=2e-3)
            assert found.dtype == np.float32


def test_numbers_are_small_in_the_file(translator: Translator, tmp_path: Path) -> None:
    units = measure_units([translator.record(TEXTS[0], "Le chat dort.")], "abc")
    (tmp_path / UNITS).write_bytes(pack_units(units))
    with np.load(tmp_path / UNITS) as file:
        sizes = {name: str(file[f"encoder.{name}"].dtype) for name in ("ids", "starts", "places")}
        assert set(sizes.values()) == {"uint32"}
        assert {str(file[f"decoder.{name}"].dtype) for name in ("values", "fires")} == {"float16"}


def test_parts_that_do_not_fit_are_refused(translator: Translator, tmp_path: Path) -> None:
    units = measure_units([translator.record(TEXTS[0], "Le chat dort.")], "abc")
    side = units.sides["decoder"]
    last = len(side.ids) - 1
    for other, why in (
        (replace(side, places=side.places[:, 1:]), "decoder: shapes"),
        (replace(side, fires=side.fires[:, 1:]), "decoder: shapes"),
        (replace(side, starts=side.starts[:-1]), "decoder: shapes"),
        (replace(side, starts=side.starts[:0]), "decoder: shapes"),
        (replace(side, starts=np.array([last + 1, 0])), "decoder: shapes"),
        (replace(side, places=np.full_like(side.places, last + 1)), "a token beyond the last"),
    ):
        sides: dict[Stack, StackUnits] = {**units.sides, "decoder": other}
        (tmp_path / UNITS).write_bytes(pack_units(replace(units, sides=sides)))
        with pytest.raises(ValueError, match=f"not the units of a model.*{why}"):
            load_units(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK no zip", None])
def test_a_missing_or_damaged_file_is_named(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / UNITS).write_bytes(content)
    with pytest.raises(ValueError, match=r"units\.npz: not the units of a model"):
        load_units(tmp_path)


def test_no_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match="no sentence"):
        measure_units([], "")
