"""A decode that writes what the page knows already takes it from there, with the same numbers."""

import numpy as np
import pytest

from model.interventions.heads import AblateHead
from viz.compute import decodes, runs
from viz.compute.decodes import decode
from viz.compute.runs import Subject

SENTENCE = "My sister reads a long letter."


@pytest.fixture(autouse=True)
def afresh() -> None:
    """Nothing is kept of another test."""
    decode.clear()
    runs.run.clear()


def test_the_free_branch_is_the_translators_own(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = runs.translator()
    wanted = list(loaded.choices(loaded.source(SENTENCE)))
    recording = runs.run(SENTENCE).recording
    monkeypatch.setattr(type(loaded), "scorer", None)  # nothing is computed any more
    monkeypatch.setattr(type(loaded), "record", None)
    found = decode(Subject(SENTENCE))
    assert [one.chosen.id for one in found.choices] == [one.chosen.id for one in wanted]
    for one, other in zip(found.choices, wanted, strict=True):
        assert one.chosen.log_prob == pytest.approx(other.chosen.log_prob, abs=1e-4)
        assert [each.id for each in one.alternatives[:3]] == [
            each.id for each in other.alternatives[:3]
        ]
    assert np.array_equal(found.cross_attn, recording.attention("cross"))


def test_a_branch_that_parts_from_it_is_computed() -> None:
    loaded = runs.translator()
    forced = loaded.forced_ids("Une")
    found = decode(Subject(SENTENCE), forced=forced)
    wanted = list(loaded.choices(loaded.source(SENTENCE), forced=forced))
    assert [one.chosen.id for one in found.choices] == [one.chosen.id for one in wanted]
    drawn = decodes.Settings("sampling", 4, 0.6, 3.0, 0, 1.0, 7).chosen()
    sampled = decode(Subject(SENTENCE), drawn)
    wanted = list(loaded.choices(loaded.source(SENTENCE), drawn))
    assert [one.chosen.id for one in sampled.choices] == [one.chosen.id for one in wanted]
    assert sampled.translation.ids != runs.run(SENTENCE).translation.ids
    recorded = loaded.record(SENTENCE, sampled.translation)
    assert np.allclose(
        sampled.cross_attn, recorded.attention("cross")[:, :, : len(wanted)], atol=1e-5
    )


def test_a_changed_model_is_asked_itself() -> None:
    off = (AblateHead("encoder", 0, 0), AblateHead("cross", 4, 5))
    found = decode(Subject(SENTENCE, off))
    loaded = runs.translator()
    wanted = list(loaded.choices(loaded.source(SENTENCE), interventions=off))
    assert [one.chosen.id for one in found.choices] == [one.chosen.id for one in wanted]
    assert found.choices[0].chosen.log_prob == pytest.approx(wanted[0].chosen.log_prob, abs=1e-4)
