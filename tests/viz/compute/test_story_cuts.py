"""The kept numbers of the story: where they count, and that they are the models'."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.checkpoints.examples import StoryPair
from viz.compute import cuts, measured, models, story_cuts

SHIPPED = dict(story_cuts.of_shipped())
"""The shipped Transformers and their stories."""

LIVE: Any = ("cuts measured now", "turns measured now")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is measured, and nothing is left of what was."""
    for name, answer in zip(("cuts", "turns"), LIVE, strict=True):
        monkeypatch.setattr(cuts, name, lambda _asked, answer=answer: answer)
    story_cuts.cuts_and_turns.clear()
    yield
    story_cuts.cuts_and_turns.clear()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.usefixtures("alone")
def test_a_shipped_story_is_not_measured_again(name: str) -> None:
    """Where this fails, the weights or the examples are new: measure them by the command."""
    with models.using(name):
        found, turns = story_cuts.cuts_and_turns(SHIPPED[name])
    assert turns is not None
    assert len(found.heads) == len(turns[0]) == len(turns[1])


@pytest.mark.usefixtures("alone")
def test_another_story_or_other_weights_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    (story,) = (story for name, story in SHIPPED.items() if name == "en-fr")
    assert story_cuts.cuts_and_turns(story) != LIVE
    other = replace(story, first=story.first.replace("too", "very"))
    assert story_cuts.cuts_and_turns(other) == LIVE
    monkeypatch.setattr(measured, "read", lambda *_: None)  # as for other weights
    story_cuts.cuts_and_turns.clear()
    assert story_cuts.cuts_and_turns(story) == LIVE


def test_the_kept_numbers_are_those_of_the_model() -> None:
    """Rounding errors differ between machines."""
    with models.using("zh-en"):
        anew = story_cuts.written(SHIPPED["zh-en"])
        kept = measured.read("zh-en", story_cuts.FILE)
    assert kept is not None
    assert_alike(kept, anew)


@pytest.mark.parametrize("number", [0, 1])
def test_the_turns_of_english_are_those_of_the_model(number: int) -> None:
    story: StoryPair = SHIPPED["en-fr"]
    _, turns = story_cuts.cuts_and_turns(story)
    assert turns is not None
    for arc in turns[number]:
        kept = next(turn for turn in reversed(arc) if turn)
        anew = cuts.turned_line(story, number, kept.intervention)
        assert kept.written == anew.written
        assert np.array(kept.weights) == pytest.approx(np.array(anew.weights), abs=1e-4)


def assert_alike(kept: object, anew: object) -> None:
    """Compare two contents of the file, their numbers to 1e-4."""
    if isinstance(anew, float):
        assert kept == pytest.approx(anew, abs=1e-4)
    elif isinstance(anew, dict):
        assert isinstance(kept, dict)
        assert kept.keys() == anew.keys()
        for name, value in anew.items():
            assert_alike(kept[name], value)
    elif isinstance(anew, list | tuple):
        assert isinstance(kept, list)
        assert len(kept) == len(anew)
        for one, other in zip(kept, anew, strict=True):
            assert_alike(one, other)
    else:
        assert kept == anew
