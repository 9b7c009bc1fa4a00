"""What was measured of the units belongs to the weights that are shown, or is not shown."""

from dataclasses import replace

import pytest

from model.measures.units import load_units
from viz.compute import runs, units
from viz.compute.units import measured


def test_what_is_shown_of_a_unit_was_measured_on_the_weights_in_force() -> None:
    loaded = runs.translator()
    found = measured("encoder", 2, 641)
    if load_units(loaded.folder).sha256 != loaded.card["sha256"]:
        assert found is None  # until `python -m model.training.units` has run on new weights
        return
    assert found is not None
    assert found.sentences == 1000
    assert [one.value for one in found.drivers] == sorted(
        (one.value for one in found.drivers), reverse=True
    )
    best = found.drivers[0]
    text = loaded.tokenizer.decode([loaded.tokenizer.id(token) for token in best.tokens[:-1]])
    hidden = loaded.record(text, "Je")["encoder.2.ffn.hidden"]
    assert hidden[best.place, 641] == pytest.approx(best.value, abs=0.05)


def test_units_of_other_weights_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(load_units(runs.translator().folder), sha256="other weights")
    monkeypatch.setattr(units, "load_units", lambda _folder: other)
    units._units.clear()
    assert measured("decoder", 0, 0) is None
    units._units.clear()
