"""What the benchmarks share. Their figures are read by people, not pinned by tests."""

import time
from math import isnan

import pytest

from benchmarks import medians, table
from benchmarks.paired import ratios


def test_a_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    table("Speed", ("what", "median"), [("a long name", 1), ("b", "12.5 ms")])
    assert capsys.readouterr().out.splitlines() == [
        "Speed",
        "what          median",
        "-----------  -------",
        "a long name        1",
        "b            12.5 ms",
    ]


def test_medians_are_milliseconds_in_the_order_of_the_works() -> None:
    calls: list[str] = []
    long, short = medians(
        3, lambda: (calls.append("long"), time.sleep(0.02)), lambda: calls.append("short")
    )
    assert calls == ["long", "short"] * 5
    assert 20 <= long < 2000
    assert short < 10


def test_ratios_are_those_of_each_round_and_the_median_of_all() -> None:
    there = ["greedy   100 ms  1,000\nonly there 3", "greedy   200 ms  1,000\nonly there 3"]
    here = ["greedy    50 ms  2,000\nnothing 0", "greedy   300 ms  2,000\nnothing 0"]
    assert ratios(here, there) == [("greedy ms", [1.0, 2.0])]
    (_name, (ratio,)), *others = ratios(["none 5 s"], ["none 0 s"])
    assert isnan(ratio)
    assert not others


def test_lines_that_differ_in_their_numbers_alone_are_kept_apart() -> None:
    assert ratios(["8 pieces 3 ms\n64 pieces 9 ms"], ["8 pieces 6 ms\n64 pieces 3 ms"]) == [
        ("pieces ms", [1.0, 0.5]),
        ("pieces ms", [1.0, 3.0]),
    ]
