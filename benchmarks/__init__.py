"""Measurements of the app's speed: `python -m benchmarks.NAME` prints one table."""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table, with the first column aligned left and the rest aligned right."""
    cells = [list(columns), *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(title)
    for number, row in enumerate(cells):
        right_cells = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        print("  ".join([row[0].ljust(widths[0]), *right_cells]))
        if not number:
            print("  ".join("-" * width for width in widths))


def medians(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Time several functions in turns, so that a busy machine slows all of them equally.

    Returns the median of each, in milliseconds, after two rounds of warming up.
    """
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds + 2):
        for work, measured in zip(works, times, strict=True):
            started = time.perf_counter()
            work()
            measured.append(1000 * (time.perf_counter() - started))
    return [statistics.median(measured[2:]) for measured in times]
