"""Many visitors at once, their waiting times and cost: `python -m benchmarks.load [VISITORS ...]`.

They speak Streamlit's protocol over websockets, without a browser, to a server that this program
starts on this machine (with --hall to two servers behind nginx, as in deploy/nginx.conf). Every
page is opened with a new sentence. Times run from the request to the end of the answer. It runs
only on Linux: CPU and memory of the servers are read from /proc. With --class, the visitors follow
a teacher who moves every 10 seconds, and answer within 5 seconds.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import table
from benchmarks.classroom import Seen, hold_class
from browser.crowd import Behaviour, Use, Visit, crowd, fresh_sentences, idle, together, use
from browser.hall import running_hall
from browser.server import free_port, started
from browser.visitor import visitor

CROWDS = ((1, 1.0), (30, 5.0), (100, 10.0))
"""The numbers of visitors, and the seconds that each looks at a page."""

CLASS, IDLE = 100, 300
PAGE = "attention"
"""The page that shows a translation and a recording, and little else."""

LINK = "sentence=The+cat+sees+the+dog+that+nobody+has+seen+before."
COLUMNS = ("what", "pages", "pages a s", "p50 ms", "p95 ms", "CPU ms a page", "MB", "errors")


@dataclass(frozen=True)
class Place:
    """The address for visitors, and the processes that serve them."""

    address: str
    processes: tuple[int, ...]


@contextmanager
def place(hall: bool) -> Iterator[Place]:
    """Start one server, or two behind nginx."""
    with tempfile.TemporaryDirectory() as folder:
        if hall:
            with running_hall(Path(folder)) as running:
                processes = tuple(server.process.pid for server in running.servers)
                yield Place(running.address, processes)
        else:
            with started(Path(folder) / "log.txt", free_port()) as server:
                yield Place(server.address, (server.process.pid,))


def row(label: str, visits: list[Visit], seconds: float, before: Use, after: Use) -> list[object]:
    """Sum up visits in a row of the table, with the number of errors and the first error."""
    times = np.array([visit.seconds for visit in visits]) * 1000
    errors = [error for visit in visits for error in visit.errors]
    p50, p95 = np.percentile(times, [50, 95])
    return [
        label,
        len(visits),
        f"{len(visits) / seconds:.1f}",
        f"{p50:.0f}",
        f"{p95:.0f}",
        f"{1000 * (after.cpu - before.cpu) / len(visits):.0f}",
        f"{after.memory / 1e6:.0f}",
        f"{len(errors)} {errors[0][:60]}" if errors else 0,
    ]


async def pages_of(address: str) -> tuple[str, ...]:
    """Return the names of all pages."""
    async with visitor(address) as scout:
        return tuple((await scout.open("no-such-page")).pages)


async def measure(servers: Place, seconds: float, sizes: set[int]) -> list[list[object]]:
    """Measure each crowd in turn, then a class that opens one link, then idle visitors."""
    pages, sentences = await pages_of(servers.address), fresh_sentences()
    rows: list[list[object]] = []
    for visitors, thinking in (crowd_size for crowd_size in CROWDS if crowd_size[0] in sizes):
        for name, links in (("a translation", (PAGE,)), ("any page", pages)):
            before = use(servers.processes)
            behaviour = Behaviour(visitors, thinking, max(seconds, 2 * thinking), links)
            visits = await crowd(servers.address, behaviour, sentences)
            label = f"{visitors} visitors, {thinking:.0f} s a page: {name}"
            rows.append(row(label, visits, behaviour.seconds, before, use(servers.processes)))
    if CLASS in sizes:
        before = use(servers.processes)
        visits = await together(servers.address, CLASS, PAGE, LINK)
        last = max(visit.seconds for visit in visits)
        label = f"{CLASS} open one link at once; the last after {last:.1f} s"
        rows.append(row(label, visits, last, before, use(servers.processes)))
    if IDLE in sizes:
        grown = await idle(servers.address, IDLE, PAGE, servers.processes)
        rows.append([f"{IDLE} idle visitors: {grown / 1e6:.0f} MB more", *[""] * 7])
    return rows


MOVES, EVERY = 3, 10.0
"""The number of a teacher's moves, and the seconds between them."""

CLASS_COLUMNS = (
    *("people", "moves seen", "p50 s", "last s", "CPU ms a move"),
    *("answers", "p50 s", "last s", "MB", "errors"),
)


def class_row(people: int, seen: Seen, memory: int) -> list[object]:
    """Sum up the observations of a class in a row of the table."""
    row: list[object] = [people]
    for times in (seen.after, seen.answers):
        seconds = times or [float("nan")]
        row += [len(times), f"{np.median(seconds):.2f}", f"{max(seconds):.2f}"]
    row.insert(4, f"{1000 * seen.cpu / max(len(seen.after), 1):.0f}")
    errors = f"{len(seen.errors)} {seen.errors[0][:60]}" if seen.errors else 0
    return [*row, f"{memory / 1e6:.0f}", errors]


async def rest(servers: Place, seconds: float = 120) -> None:
    """Wait until the servers have measured their examples, which they do after their start."""
    until, before = time.monotonic() + seconds, -1.0
    while time.monotonic() < until and use(servers.processes).cpu - before > 0.1:
        before = use(servers.processes).cpu
        await asyncio.sleep(2)


async def measure_classes(servers: Place, sizes: list[int]) -> list[list[object]]:
    """Once the servers are idle, measure each class size in turn: following, then answering."""
    rows: list[list[object]] = []
    await rest(servers)
    for people in sizes:
        seen = await hold_class(servers.address, people, MOVES, EVERY, servers.processes)
        rows.append(class_row(people, seen, use(servers.processes).memory))
    return rows


def main() -> None:
    """Start the servers, measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--hall", action="store_true", help="two servers behind nginx")
    parser.add_argument("--class", dest="classes", nargs="*", type=int, help="such classes (30)")
    parser.add_argument("--seconds", type=float, default=30, help="for each crowd (30)")
    every = [visitors for visitors, _thinking in CROWDS] + [IDLE]
    parser.add_argument("visitors", nargs="*", type=int, choices=[*every, []], help="only these")
    options = parser.parse_args()
    sizes = set(options.visitors or every)
    with classes_apart(), place(options.hall) as hall:
        if options.classes is None:
            columns = COLUMNS
            rows = asyncio.run(measure(hall, min(options.seconds, 300), sizes))
        else:
            columns = CLASS_COLUMNS
            rows = asyncio.run(measure_classes(hall, options.classes or [30]))
    servers = "two servers behind nginx" if options.hall else "one server"
    load = os.getloadavg()[0]
    table(f"{servers}; load {load:.1f} on {os.cpu_count()} cores", columns, rows)


@contextmanager
def classes_apart() -> Iterator[None]:
    """Keep classes in a separate folder, so that this machine's own classes stay unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        yield


if __name__ == "__main__":
    main()
