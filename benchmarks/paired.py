"""A benchmark in two checkouts in turn: `python -m benchmarks.paired OTHER NAME [ARGUMENT ...]`.

OTHER is the folder of another checkout, such as `git worktree add ../before main` makes. The
benchmark runs there and here in turn, so that a busy machine slows both alike. Each number of its
table becomes a ratio, here divided by there: the median of all rounds. Below 1 is faster, where the
number is a time.
"""

import argparse
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from math import nan
from pathlib import Path

from benchmarks import table

HERE = Path(__file__).parents[1]
ROUNDS = 3
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def numbers(printed: str) -> dict[tuple[str, int], list[float]]:
    """Return the numbers of each line that has some.

    The key is the line without its numbers, and how many such lines came before.
    """
    by_line: dict[tuple[str, int], list[float]] = {}
    seen: Counter[str] = Counter()
    for line in printed.splitlines():
        if values := [float(number.replace(",", "")) for number in NUMBER.findall(line)]:
            name = " ".join(NUMBER.sub("", line).split())
            by_line[name, seen[name]] = values
            seen[name] += 1
    return by_line


def ratios(here: Sequence[str], there: Sequence[str]) -> list[tuple[str, list[float]]]:
    """Divide the numbers of what each round printed here by those of its round there.

    Returns the medians by line, NaN where a number was 0 there. A line that some round lacks is
    left out.
    """
    printed = [numbers(text) for pair in zip(here, there, strict=True) for text in pair]
    rows: list[tuple[str, list[float]]] = []
    for key, first in printed[0].items():
        lines = [line.get(key, []) for line in printed]
        if any(len(line) != len(first) for line in lines):
            continue
        rounds = [
            [own / other if other else nan for own, other in zip(*pair, strict=True)]
            for pair in zip(lines[::2], lines[1::2], strict=True)
        ]
        rows.append((key[0], list(map(statistics.median, zip(*rounds, strict=True)))))
    return rows


def run(checkout: Path, command: Sequence[str]) -> str:
    """Run a benchmark in a checkout, with this Python; return what it prints."""
    command = [sys.executable, "-m", f"benchmarks.{command[0]}", *command[1:]]
    done = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def main() -> None:
    """Run a benchmark in both checkouts, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the folder of another checkout")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("benchmark", nargs=argparse.REMAINDER, help="its name and arguments")
    asked = parser.parse_args()
    if not asked.benchmark or not (asked.other / "benchmarks").is_dir():
        parser.error("give the folder of another checkout, then the name of a benchmark")
    here: list[str] = []
    there: list[str] = []
    for _round in range(asked.rounds):
        there.append(run(asked.other, asked.benchmark))
        here.append(run(HERE, asked.benchmark))
    rows = [
        (name, " ".join(f"{ratio:.2f}" for ratio in line)) for name, line in ratios(here, there)
    ]
    table(f"{asked.benchmark[0]}: here divided by {asked.other}", ("line", "ratios"), rows)


if __name__ == "__main__":
    main()
