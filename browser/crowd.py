"""Many visitors at once, without browsers, and their cost for the server. For Linux: /proc."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import quote_plus

from browser.visitor import Visitor, visitor
from viz.server.visit import ask

SUBJECTS = (
    "The cat|My dog|A little girl|The old man|Our teacher|The red bird|Her brother|A tired nurse"
)
VERBS = "sees|likes|wants|forgets|loses|washes|paints|carries|brings|finds"
OBJECTS = "the house|a new car|this book|the big table|your letter|an apple|the blue door|his keys"
ENDS = "today|again|in the garden|before the storm|with a smile|at night|near the river|every day"


def fresh_sentences() -> Iterator[str]:
    """Make up 5,120 sentences, all different, in the same order each time."""
    parts = (part.split("|") for part in (ENDS, OBJECTS, VERBS, SUBJECTS))
    for end, object_, verb, subject in product(*parts):
        yield f"{subject} {verb} {object_} {end}."


@dataclass(frozen=True)
class Use:
    """The resources that processes have used: seconds of CPU, bytes in memory now, threads now."""

    cpu: float
    memory: int
    threads: int


def use(processes: Iterable[int]) -> Use:
    """Add up the use of processes; OSError without /proc or when one of them is gone."""
    cpu, memory, threads = 0.0, 0, 0
    for process in processes:
        folder = Path("/proc") / str(process)
        fields = (folder / "stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
        cpu += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        threads += int(fields[17])
    return Use(cpu, memory, threads)


@dataclass(frozen=True)
class Visit:
    """One request for a page: its time in seconds, and its error."""

    page: str
    seconds: float
    errors: tuple[str, ...]


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of visitors: their number, their time to think, and their stay (seconds).

    Each opens the next of `pages`, with the next of the sentences if it is `fresh`.
    """

    visitors: int
    thinking: float
    seconds: float
    pages: tuple[str, ...]
    fresh: bool = True


async def crowd(address: str, behaviour: Behaviour, sentences: Iterator[str]) -> list[Visit]:
    """Let visitors come one after the other within one time to think; return all their visits."""
    end = time.monotonic() + behaviour.seconds
    visits: list[Visit] = []

    async def one(number: int) -> None:
        pages = behaviour.pages[number % len(behaviour.pages) :] + behaviour.pages
        await asyncio.sleep(behaviour.thinking * number / behaviour.visitors)
        async with visitor(address, cookie=f"headlight_seat=visitor-{number}") as here:
            at = 0
            while time.monotonic() < end:
                sentence = next(sentences) if behaviour.fresh else ""
                visit = await opened(here, pages[at % len(pages)], asking(sentence))
                visits.append(visit)
                at += 1
                await asyncio.sleep(behaviour.thinking)

    await asyncio.gather(*(one(number) for number in range(behaviour.visitors)))
    return visits


async def opened(here: Visitor, page: str, query: str, seconds: float = 60) -> Visit:
    """Open a page like a link in an open window; a page that does not end is an error."""
    message = ask(page, query, walked=True)
    started = time.monotonic()
    try:
        answer = await here.send(message, seconds, f"the page {page!r}")
    except (TimeoutError, OSError) as error:
        return Visit(page, time.monotonic() - started, (str(error),))
    return Visit(page, time.monotonic() - started, tuple(answer.errors))


def asking(sentence: str) -> str:
    """Write the part of a link that asks for a sentence; "" for none."""
    return f"sentence={quote_plus(sentence)}" if sentence else ""


@asynccontextmanager
async def guests(address: str, count: int) -> AsyncIterator[list[Visitor]]:
    """Connect so many visitors, none of whom has opened a page yet."""
    async with AsyncExitStack() as stack:
        names = (f"headlight_seat=visitor-{number}" for number in range(count))
        yield [await stack.enter_async_context(visitor(address, cookie=name)) for name in names]


async def together(address: str, visitors: int, page: str, query: str) -> list[Visit]:
    """Let connected visitors open one link at the same moment."""
    async with guests(address, visitors) as here:
        return await asyncio.gather(*(opened(one, page, query) for one in here))


async def idle(address: str, visitors: int, page: str, processes: Sequence[int]) -> int:
    """Let visitors open a page and stay; return the growth of the servers in bytes."""
    before = use(processes).memory
    async with guests(address, visitors) as here:
        for at in range(0, visitors, 10):
            visits = await asyncio.gather(*(opened(one, page, "") for one in here[at : at + 10]))
            if errors := [visit.errors for visit in visits if visit.errors]:
                raise RuntimeError(f"an idle visitor saw {errors[0]}")
        return use(processes).memory - before
