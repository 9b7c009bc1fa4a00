"""The shipped twins that differ in their positions alone."""

import json

import numpy as np
import pytest

from model import load_translator
from model.checkpoints.card import POSITIONS, load_card
from model.checkpoints.checkpoint import CHECKPOINTS
from tests.sentences import FIRST_SENTENCE
from viz.compute import models, positions

KINDS = ("sinusoid", "learned", "rotary")


def test_they_are_small_and_differ_in_nothing_but_their_positions() -> None:
    settings = []
    for kind in KINDS:
        folder = CHECKPOINTS / f"en-fr-{kind}"
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 5_000_000
        found = json.loads(json.dumps(load_card(folder).settings))
        assert found["config"].pop("positions", "sinusoid") == kind
        settings.append(found)
    assert settings[0] == settings[1] == settings[2]


def test_no_menu_offers_them_and_only_their_own_model_has_them() -> None:
    found = positions.twins()
    assert found == {kind: f"en-fr-{kind}" for kind in KINDS}
    assert not set(found.values()) & set(models.folders())
    with models.using("zh-en"):
        assert positions.twins() == {}


def test_the_recurrent_model_beside_them_learned_from_such_rows_and_is_in_no_menu() -> None:
    name = positions.recurrent()
    assert name == "en-fr-copies"
    assert name not in models.folders()
    settings, twin = (load_card(CHECKPOINTS / one).settings for one in (name, "en-fr-sinusoid"))
    for part in ("longest_pair", "copies", "join"):
        assert settings[part] == twin[part]
    found, beside = positions.measured(name), positions.measured("en-fr-sinusoid")
    assert [row.letters for row in found.copies] == [row.letters for row in beside.copies]
    assert found.longest_row == beside.longest_row
    assert found.copies[0].right > 0.9 > found.copies[-1].right
    with models.using("zh-en"):
        assert positions.recurrent() is None


def test_tables_and_recordings_are_those_of_the_models_themselves() -> None:
    assert not positions.table("en-fr-rotary").any()
    own = load_translator("en-fr-learned")
    state = own.network.state_dict()["positions"].numpy()
    np.testing.assert_array_equal(positions.table("en-fr-learned"), state)
    recording = positions.recorded("en-fr-rotary", FIRST_SENTENCE)
    expected = load_translator("en-fr-rotary").record(FIRST_SENTENCE)
    np.testing.assert_allclose(recording.logits, expected.logits, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_each_copies_and_translates_what_is_as_short_as_in_training(kind: str) -> None:
    found = positions.measured(f"en-fr-{kind}")
    inside = [row for row in found.lengths if row.high <= found.longest_pair]
    beyond = found.lengths[-1]
    assert max(row.loss for row in inside) < 2 < beyond.loss
    assert min(row.bleu for row in inside) > 20 > beyond.bleu
    assert found.copies[0].right > 0.9 > found.copies[-1].right
    own = load_translator(f"en-fr-{kind}")
    assert own.translate("The cat is black.").text == "Le chat est noir."


def test_a_damaged_file_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN001
    (tmp_path / POSITIONS).write_text('{"lengths": []}', encoding="utf-8")
    monkeypatch.setattr(models, "folder_of", lambda _name: tmp_path)
    with pytest.raises(ValueError, match="is missing or wrong"):
        positions.measured("any")
