"""One fresh server, watched by strace, whose first 30 visitors come in the same moment."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from browser.server import running_app
from browser.visitor import visitor
from tests.fixtures.loops import run_apart
from viz.server.visit import Answer

VISITORS = 30


@dataclass(frozen=True)
class Watched:
    """A running app and the file into which strace writes its calls."""

    address: str
    calls: Path

    def asked_for(self) -> list[str]:
        """List the calls that reach for the network."""
        return reached(self.calls.read_text(encoding="utf-8"))


def reached(calls: str) -> list[str]:
    """List the lines of strace that connect or send to an internet address."""
    return [line for line in calls.splitlines() if "AF_INET" in line and "bind(" not in line]


def strace(calls: Path) -> list[str]:
    """Return the command that writes what a program asks of the network into a file."""
    assert shutil.which("strace"), "no strace: run `python -m tests`, which installs it"
    traced = "trace=connect,bind,sendto,sendmsg,sendmmsg"
    # As a daemon it is no parent of the server, which then gets its signals itself.
    options = ["--daemonize", "--follow-forks", "--seccomp-bpf", "-e", traced, "-o", str(calls)]
    return ["strace", *options]


def errors_of_pages(address: str) -> list[str]:
    """Open each page once and list their errors: quicker than a server that opens all ahead."""

    async def open_each() -> list[str]:
        async with visitor(address) as one:
            pages = (await one.open("no-such-page")).pages
            return [error for page in pages for error in (await one.open(page)).errors]

    return run_apart(open_each())


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A server that nobody has visited yet."""
    folder = tmp_path_factory.mktemp("watched")
    calls = folder / "calls.txt"
    with running_app(folder / "log.txt", watcher=strace(calls)) as address:
        yield Watched(address, calls)


@pytest.fixture(scope="session")
def first_answers(watched: Watched) -> list[tuple[str, Answer]]:
    """What the first visitors got, each on a page, all in the same moment."""

    async def open_all() -> list[tuple[str, Answer]]:
        async with visitor(watched.address) as scout:
            # A page that does not exist answers with the list of those that do.
            pages = (await scout.open("no-such-page")).pages

        async def open_one(page: str) -> tuple[str, Answer]:
            async with visitor(watched.address) as one:
                return page, await one.open(page)

        wanted = [pages[number % len(pages)] for number in range(VISITORS)]
        return await asyncio.gather(*map(open_one, wanted))

    return run_apart(open_all())
