"""What the benchmarks share. Their figures are read by people, not pinned by tests."""

import time

import pytest

from benchmarks import medians, table


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
