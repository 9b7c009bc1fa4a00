"""The shipped model that learned without the look-ahead mask: its figures, and what it does."""

import json
from pathlib import Path

import numpy as np
import pytest

from model import LiftMask, load_translator
from model.checkpoints.card import CHEATING, load_card
from model.checkpoints.checkpoint import CHECKPOINTS, load_checkpoint
from tests.sentences import FIRST_SENTENCE
from viz.compute import cheating, models, runs

CHEAT = "en-fr-cheat"
FOLDER = CHECKPOINTS / CHEAT
MOST_BYTES = 5_000_000


def test_it_is_small_and_its_pieces_are_among_those_of_the_model_it_stands_beside() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= MOST_BYTES
    tokenizers = [load_checkpoint(name).tokenizer for name in (CHEAT, "en-fr")]
    own, beside = (tokenizer.tokens(list(range(len(tokenizer)))) for tokenizer in tokenizers)
    assert own == beside[: len(own)]
    assert load_card(FOLDER).settings["look_ahead"] == 1


def test_its_loss_falls_to_nearly_nothing_and_that_of_its_twin_does_not() -> None:
    found = cheating.measured(CHEAT)
    cheat, twin = found.cheat, found.twin
    assert (cheat.steps, cheat.dev_steps) == (twin.steps, twin.dev_steps)
    assert cheat.dev_loss[-1] < 0.02 < 0.5 < twin.dev_loss[-1]
    assert cheat.sees_ahead == pytest.approx(cheat.dev_loss[-1], abs=0.01)
    assert twin.sees_before == pytest.approx(twin.dev_loss[-1], abs=0.02)
    assert cheat.sees_before > twin.sees_before + 3
    assert cheat.bleu < 1 < 5 < twin.bleu
    assert found.ahead.shape == (3, 4)
    assert found.ahead.max() > 0.8


def test_what_it_does_with_a_sentence_is_what_the_model_itself_does() -> None:
    own = load_translator(CHEAT)
    assert cheating.name() == CHEAT
    assert cheating.written(CHEAT, FIRST_SENTENCE) == own.translate(FIRST_SENTENCE).text
    target = runs.run(FIRST_SENTENCE).translation.text
    seen = cheating.seen(CHEAT, FIRST_SENTENCE, target)
    assert seen.likely.mean() > 0.9
    expected = own.record(FIRST_SENTENCE, target, (LiftMask("decoder"),))
    assert np.array_equal(seen.recording.logits, expected.logits)
    layer, head = divmod(int(cheating.measured(CHEAT).ahead.argmax()), 4)
    weights = seen.recording.attention("decoder")[layer, head]
    assert np.diagonal(weights, 1).mean() > 0.8  # each row looks at the piece it is to predict
    words = set(target.lower().split())
    assert not words & set(cheating.written(CHEAT, FIRST_SENTENCE).lower().split())


def test_no_menu_offers_it_and_no_link_opens_a_page_with_it() -> None:
    assert CHEAT not in models.folders()
    assert models.twin("en-fr", "cheat") == CHEAT
    assert models.twin("zh-en", "cheat") is None
    assert models.folder_of(CHEAT) == FOLDER
    with models.using(CHEAT):
        assert cheating.name() is None
        assert runs.checkpoint_name().startswith(CHEAT)


def test_one_that_is_named_at_start_is_a_model_like_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, CHEAT)
    models._folders.cache_clear()
    assert models.default() == CHEAT
    assert CHEAT not in models.twins()
    monkeypatch.undo()
    models._folders.cache_clear()


def test_damaged_figures_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / CHEAT
    folder.mkdir()
    found = json.loads((FOLDER / CHEATING).read_text(encoding="utf-8"))
    del found["twin"]["bleu"]
    (folder / CHEATING).write_text(json.dumps(found), encoding="utf-8")
    monkeypatch.setattr(models, "folder_of", lambda _name: folder)
    with pytest.raises(ValueError, match=r"cheating.json: 'bleu' is missing"):
        cheating.measured(CHEAT)
