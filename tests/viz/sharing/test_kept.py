"""What all visitors share: read-only, computed once, and bounded in bytes."""

import threading
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from model.decoding.beam import Beam
from model.decoding.sampling import Sampling
from model.interventions.heads import AblateHead
from model.learning.recipe import Recipe
from viz.compute import ancestors, decodes, effects, learning, models, pairs, runs, weights
from viz.compute.runs import Subject
from viz.sharing import kept
from viz.sharing.kept import SHELF, Kept, Shelf, memory, parts

SENTENCE = "The cat sleeps."
MEGABYTE = 1_000_000


@dataclass(frozen=True, eq=False)
class Holder:
    array: NDArray[np.uint8]
    other: "Holder | None" = None


def holder(size: int) -> Holder:
    return Holder(np.zeros(size, np.uint8))


@pytest.fixture(scope="module")
def all_kept() -> list[object]:
    """What is kept after each function has been asked for something."""
    edits = (AblateHead("encoder", 0, 0),)
    effects.effect(SENTENCE, edits)
    pair = pairs.pair(SENTENCE, "The dog sleeps.")
    assert pair.decision is not None
    pairs.attributions(SENTENCE, pair.decision.prefix, pair.decision.first)
    decodes.decode(Subject(SENTENCE, edits), Sampling(1.0, 5, 0.9, 1))
    decodes.decode(Subject(SENTENCE), Beam(3, 0.6))
    decodes.decode(Subject(SENTENCE), steps=2)
    weights.vocabulary()
    learning.example(SENTENCE, None, 0.1, True)
    learning.one_by_one(SENTENCE, None)
    learning.fed(SENTENCE, None, 0.5, 1)
    learning.draws(SENTENCE, None, 1, 0.1, (1, 2))
    learning.descent(SENTENCE, None, Recipe(1, 0.1, "plain", "trained"))
    learning.schedule(100, 512, 40)
    ancestors.given("dot", SENTENCE, "Le chat dort.")
    ancestors.fixed_vector(SENTENCE)
    return SHELF.values()


def test_every_array_that_visitors_share_is_read_only(all_kept: list[object]) -> None:
    held = [part for value in all_kept for part in parts(value)]
    arrays = [part for part in held if isinstance(part, np.ndarray)]
    assert len(arrays) > 1000
    assert [array.shape for array in arrays if array.flags.writeable] == []
    assert not any(isinstance(part, torch.Tensor) for part in held)


def test_nothing_that_is_kept_keeps_something_larger_alive(all_kept: list[object]) -> None:
    for value in all_kept:
        arrays = [part for part in parts(value) if isinstance(part, np.ndarray)]
        alive = dict(memory(array) for array in arrays)
        shown = Counter[int]()
        for array in arrays:
            shown[memory(array)[0]] += array.nbytes
        assert [size for one, size in alive.items() if size > 2 * shown[one]] == []


def test_what_was_used_longest_ago_goes_first_when_the_shelf_is_full() -> None:
    shelf = Shelf(budget=3 * MEGABYTE + 10_000)
    for name in "abc":
        shelf.put(name, holder(MEGABYTE))
    assert shelf.find("a") is not None
    shelf.put("d", holder(MEGABYTE))
    assert [name for name in "abcd" if shelf.find(name)] == ["a", "c", "d"]
    assert 3 * MEGABYTE < shelf.held < shelf.budget


def test_the_model_s_weights_behind_a_recording_do_not_count() -> None:
    recording = runs.run(SENTENCE).recording
    arrays = sum(array.nbytes for array in recording.arrays.values())
    assert arrays < sum(kept.sizes(recording).values()) < arrays + 200_000
    assert sum(one.nbytes for one in recording.weights.arrays.values()) > 10 * MEGABYTE


def test_an_array_that_two_results_share_counts_once_and_until_both_are_gone() -> None:
    shelf, shared = Shelf(budget=10 * MEGABYTE), holder(MEGABYTE)
    shelf.put("one", Holder(np.zeros(10, np.uint8), shared))
    shelf.put("two", Holder(np.zeros(10, np.uint8), shared))
    assert MEGABYTE < shelf.held < 1.1 * MEGABYTE
    shelf.remove(lambda key: key == "one")
    assert MEGABYTE < shelf.held < 1.1 * MEGABYTE
    shelf.remove(lambda _: True)
    assert shelf.held == 0


def test_a_view_counts_as_all_that_it_keeps_alive() -> None:
    shelf = Shelf(budget=10 * MEGABYTE)
    shelf.put("view", Holder(np.zeros(MEGABYTE, np.uint8)[:10]))
    assert shelf.held > MEGABYTE


def test_an_array_counts_as_what_it_holds_by_itself_and_as_a_view_of_a_tensor() -> None:
    shelf = Shelf(budget=10 * MEGABYTE)
    shelf.put("array", np.zeros(MEGABYTE, np.uint8))
    assert MEGABYTE <= shelf.held < 1.1 * MEGABYTE
    shelf.put("row", torch.zeros(2, MEGABYTE, dtype=torch.uint8)[0].numpy())
    assert 3 * MEGABYTE <= shelf.held < 3.1 * MEGABYTE


def test_what_alone_is_too_large_is_handed_out_and_not_kept() -> None:
    shelf = Shelf(budget=MEGABYTE)
    shelf.put("small", holder(1000))
    shelf.put("large", holder(2 * MEGABYTE))
    assert shelf.find("large") is None
    assert shelf.find("small") is not None


def test_several_who_ask_at_once_wait_for_one_and_get_the_same() -> None:
    calls: list[int] = []

    @models.kept
    def slow(number: int, more: int = 0) -> Holder:
        calls.append(number + more)
        time.sleep(0.05)
        return holder(10)

    found: list[Holder] = []
    threads = [threading.Thread(target=lambda: found.append(slow(7))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert calls == [7]
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    assert slow(7, more=0) is slow(number=7) is found[0]
    slow.clear()
    assert slow(7) is not found[0]


def test_an_error_is_raised_and_not_kept() -> None:
    with pytest.raises(ValueError, match="empty"):
        runs.run("")
    with pytest.raises(ValueError, match="empty"):
        runs.run("")


def test_all_that_is_kept_stays_in_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SHELF, "budget", 12 * MEGABYTE)
    for number in range(12):
        runs.run(f"The cat sleeps {'and sleeps ' * number}.")
        assert SHELF.held <= 12 * MEGABYTE
    assert SHELF.values()


def test_each_namespace_has_its_own_results() -> None:
    names = iter(("first", "second", "first"))
    asked: list[int] = []

    def double(number: int) -> list[int]:
        asked.append(number)
        return [2 * number]

    doubled = Kept(double, lambda: next(names))
    assert [doubled(3) for _ in range(3)] == [[6], [6], [6]]
    assert asked == [3, 3]
