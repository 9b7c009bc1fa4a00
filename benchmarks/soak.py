"""A test for growing memory and threads: `python -m benchmarks.soak [--minutes N] [--sentences]`.

For ten minutes various visitors come and go: all pages, new sentences, some of the longest ones.
With --sentences instead: 1,000 short sentences and 200 of the longest, one after the other. It
prints a row for each minute (or hundred sentences). The exit status is 1 when memory passes its
bound, when it still grows during equal work at the end, or when threads are left over. It runs only
on Linux.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator

from benchmarks import table
from benchmarks.load import Place, pages_of, place
from browser.crowd import Behaviour, Use, asking, crowd, fresh_sentences, opened, use
from browser.visitor import visitor

MOST_BYTES = 1_500_000_000
GROWTH = 1.05
"""The allowed growth of memory from the middle third of the soak to the last one."""

VISITORS, THINKING = 12, 2.0
SHORT, LONG = 1000, 200


def mixed() -> Iterator[str]:
    """Yield new sentences, every tenth one as long as the model takes."""
    sentences = fresh_sentences()
    for number, sentence in enumerate(sentences):
        yield longest(number) if number % 10 == 9 else sentence


def longest(number: int) -> str:
    """Make up a text that fills all positions of the model."""
    return " ".join([f"Number {number}:", *["the cat sees the dog and the house"] * 20])


async def soak(here: Place, minutes: int) -> list[Use]:
    """Let visitors come and go; record the memory and threads after each minute."""
    pages, sentences, found = await pages_of(here.address), mixed(), []
    behaviour = Behaviour(VISITORS, THINKING, 60, pages)
    for _ in range(minutes):
        if errors := [one for one in await crowd(here.address, behaviour, sentences) if one.errors]:
            raise RuntimeError(f"{len(errors)} pages failed, the first one: {errors[0]}")
        found.append(use(here.processes))
    return found


async def sentences(here: Place) -> list[Use]:
    """Send many sentences one after the other; record memory and threads after each hundred."""
    texts = [text for text, _ in zip(fresh_sentences(), range(SHORT), strict=False)]
    texts += [longest(number) for number in range(LONG)]
    found: list[Use] = []
    for start in range(0, len(texts), 100):
        async with visitor(here.address) as one:
            for text in texts[start : start + 100]:
                if errors := (await opened(one, "attention", asking(text))).errors:
                    raise RuntimeError(f"{text[:40]!r}: {errors[0]}")
        found.append(use(here.processes))
    return found


def problems(found: list[Use], rest: Use, begin: Use, alike: bool = True) -> list[str]:
    """Return the faults found in the uses during, after and before the work.

    `alike` tells that the work at the end was no more than before.
    """
    said: list[str] = []
    most, third = max(one.memory for one in found), len(found) // 3
    if most > MOST_BYTES:
        said.append(f"memory went up to {most / 1e6:.0f} MB")
    # Means, as single minutes differ by their random work.
    if alike and third >= 2 and _memory(found[-third:]) > GROWTH * _memory(found[third:-third]):
        said.append("memory still grows at the end")
    if rest.threads > begin.threads + 2:
        said.append(f"{rest.threads - begin.threads} threads are left over")
    return said


def _memory(found: list[Use]) -> float:
    return sum(one.memory for one in found) / len(found)


async def resting(here: Place, begin: Use) -> Use:
    """Return the use once the visitors' threads have ended, or after 30 seconds."""
    deadline = time.monotonic() + 30
    while (now := use(here.processes)).threads > begin.threads and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    return now


async def run(here: Place, options: argparse.Namespace) -> tuple[list[Use], list[str]]:
    """Run the test; return the uses and the faults."""
    await pages_of(here.address)
    begin = use(here.processes)
    found = await (sentences(here) if options.sentences else soak(here, options.minutes))
    rest = await resting(here, begin)
    return [begin, *found, rest], problems(found, rest, begin, alike=not options.sentences)


def main() -> int:
    """Return 1 when something grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=int, default=10, choices=range(1, 61), metavar="1-60")
    parser.add_argument("--sentences", action="store_true", help="1,000 short and 200 long ones")
    options = parser.parse_args()
    with place(hall=False) as here:
        found, wrong = asyncio.run(run(here, options))
    names = ["at first", *(str(number) for number in range(1, len(found) - 1)), "at rest"]
    rows = [
        (name, f"{one.memory / 1e6:.0f}", one.threads, f"{one.cpu:.0f}")
        for name, one in zip(names, found, strict=True)
    ]
    unit = "hundred sentences" if options.sentences else "minute"
    table(f"{VISITORS} mixed visitors, or one", (unit, "MB", "threads", "CPU s"), rows)
    for problem in wrong:
        print(problem, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
