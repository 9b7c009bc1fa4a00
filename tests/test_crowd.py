"""What the benchmarks of many visitors count, and when a soak is called flat."""

import os
import sys

import pytest

from benchmarks.soak import MOST_BYTES, problems
from browser.crowd import Use, fresh_sentences, use

FLAT = [Use(float(minute), 700_000_000, 20) for minute in range(10)]


def test_fresh_sentences_are_all_different() -> None:
    sentences = list(fresh_sentences())
    assert len(set(sentences)) == len(sentences) == 5120


@pytest.mark.skipif(sys.platform != "linux", reason="what a process uses is read from /proc")
def test_what_processes_use_is_added_up() -> None:
    once, twice = use([os.getpid()]), use([os.getpid()] * 2)
    assert once.cpu > 0
    assert once.memory > 10_000_000
    assert once.threads >= 1
    assert twice.cpu >= 2 * once.cpu
    assert twice.threads == 2 * once.threads


def test_a_flat_soak_has_no_problems() -> None:
    assert problems(FLAT, FLAT[-1], FLAT[0]) == []


def test_a_soak_that_grows_passes_its_bound_or_leaves_threads_is_told() -> None:
    growing = [Use(one.cpu, one.memory + 20_000_000 * at, 20) for at, one in enumerate(FLAT)]
    assert problems(growing, FLAT[-1], FLAT[0]) == ["memory still grows at the end"]
    peak = [*FLAT[:3], Use(3, MOST_BYTES + 1, 20), *FLAT[4:]]
    assert problems(peak, FLAT[-1], FLAT[0]) == ["memory went up to 1500 MB"]
    left = Use(10, 700_000_000, 25)
    assert problems(FLAT, left, FLAT[0]) == ["5 threads are left over"]
