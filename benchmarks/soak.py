"""A test for growing memory and threads: `python -m benchmarks.soak [--minutes N] [--sentences]`.

For ten minutes various visitors come and go: all pages, new sentences, some of the longest
sentences. With --sentences, one visitor instead sends 1,000 short sentences and 200 of the longest.
It prints a row for each minute (or hundred sentences). The exit status is 1 when memory exceeds its
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
"""The allowed growth of memory from the middle third of the soak to the last third."""

VISITORS, THINKING = 12, 2.0
SHORT, LONG = 1000, 200


def mixed() -> Iterator[str]:
    """Yield new sentences; every tenth is as long as the model takes."""
    sentences = fresh_sentences()
    for number, sentence in enumerate(sentences):
        yield longest(number) if number % 10 == 9 else sentence


def longest(number: int) -> str:
    """Make up a text that fills all positions of the model."""
    return " ".join([f"Number {number}:", *["the cat sees the dog and the house"] * 20])


async def soak(server: Place, minutes: int) -> list[Use]:
    """Let visitors come and go; record the memory and threads after each minute."""
    pages, sentences, uses = await pages_of(server.address), mixed(), []
    behaviour = Behaviour(VISITORS, THINKING, 60, pages)
    for _ in range(minutes):
        if errors := [
            visit for visit in await crowd(server.address, behaviour, sentences) if visit.errors
        ]:
            raise RuntimeError(f"{len(errors)} pages failed, the first one: {errors[0]}")
        uses.append(use(server.processes))
    return uses


async def sentences(server: Place) -> list[Use]:
    """Send many sentences one after the other; record memory and threads after each hundred."""
    texts = [text for text, _ in zip(fresh_sentences(), range(SHORT), strict=False)]
    texts += [longest(number) for number in range(LONG)]
    uses: list[Use] = []
    for start in range(0, len(texts), 100):
        async with visitor(server.address) as client:
            for text in texts[start : start + 100]:
                if errors := (await opened(client, "attention", asking(text))).errors:
                    raise RuntimeError(f"{text[:40]!r}: {errors[0]}")
        uses.append(use(server.processes))
    return uses


def problems(uses: list[Use], rest: Use, begin: Use, alike: bool = True) -> list[str]:
    """Return the faults in the uses during, after and before the work.

    With `alike`, the work at the end was no heavier than before.
    """
    faults: list[str] = []
    most, third = max(use_.memory for use_ in uses), len(uses) // 3
    if most > MOST_BYTES:
        faults.append(f"memory went up to {most / 1e6:.0f} MB")
    # Means, as the random work of single minutes differs.
    if alike and third >= 2 and _memory(uses[-third:]) > GROWTH * _memory(uses[third:-third]):
        faults.append("memory still grows at the end")
    if rest.threads > begin.threads + 2:
        faults.append(f"{rest.threads - begin.threads} threads are left over")
    return faults


def _memory(uses: list[Use]) -> float:
    return sum(use_.memory for use_ in uses) / len(uses)


async def resting(server: Place, begin: Use) -> Use:
    """Return the use once the visitors' threads have ended, or after 30 seconds."""
    deadline = time.monotonic() + 30
    while (
        current := use(server.processes)
    ).threads > begin.threads and time.monotonic() < deadline:
        await asyncio.sleep(0.5)
    return current


async def run(server: Place, options: argparse.Namespace) -> tuple[list[Use], list[str]]:
    """Run the test; return the uses and the faults."""
    await pages_of(server.address)
    begin = use(server.processes)
    uses = await (sentences(server) if options.sentences else soak(server, options.minutes))
    rest = await resting(server, begin)
    return [begin, *uses, rest], problems(uses, rest, begin, alike=not options.sentences)


def main() -> int:
    """Run the test and print its table; return 1 when something grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=int, default=10, choices=range(1, 61), metavar="1-60")
    parser.add_argument("--sentences", action="store_true", help="1,000 short and 200 long ones")
    options = parser.parse_args()
    with place(hall=False) as server:
        uses, wrong = asyncio.run(run(server, options))
    names = ["at first", *(str(number) for number in range(1, len(uses) - 1)), "at rest"]
    rows = [
        (name, f"{use_.memory / 1e6:.0f}", use_.threads, f"{use_.cpu:.0f}")
        for name, use_ in zip(names, uses, strict=True)
    ]
    unit = "hundred sentences" if options.sentences else "minute"
    table(f"{VISITORS} mixed visitors, or one", (unit, "MB", "threads", "CPU s"), rows)
    for problem in wrong:
        print(problem, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
