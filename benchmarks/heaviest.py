"""The times of the heaviest single requests: `python -m benchmarks.heaviest [WORD ...]`.

It opens every view in the list of links (tests/app/links.txt) and the heaviest known links, each
with a new text that fills all positions of the model, for a single visitor. The goal is 3 s. With
words, it opens only the links that contain one of the words. Times run from the request to the end
of the answer.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from benchmarks import table
from benchmarks.load import Place, place
from benchmarks.soak import longest
from browser.crowd import Visit, opened, use
from browser.visitor import visitor

CORPUS = Path(__file__).parent.parent / "tests" / "app" / "links.txt"
MOST, SHOWN = 3.0, 12
MANY = "_".join(str(number) for number in range(100, 140))
"""Forty branches, each with a different first piece."""

WORST = (
    f"decoder?branches={MANY}",
    f"decoder?strategy=beam&width=8&branches={MANY}",
    f"decoder?strategy=sampling&branches={MANY}&branch=40",
    "decoder?strategy=beam&width=8&branches=100&branch=1",
)


def views() -> list[str]:
    """Return the links of all views, without their sentences, and the heaviest known links."""
    links = CORPUS.read_text(encoding="utf-8").split()
    return list(dict.fromkeys([*(_bare(link) for link in links), *WORST]))


def _bare(link: str) -> str:
    """Remove a link's sentence, and its changes, which name pieces of that sentence."""
    path, _, query = link.partition("?")
    parameters = {name: values for name, values in parse_qs(query).items() if name not in _OWN}
    return f"{path}?{urlencode(parameters, doseq=True)}" if parameters else path


_OWN = ("sentence", "edits", "given", "scene", "lesson")


async def visits(server: Place, links: Sequence[str]) -> list[tuple[Visit, float]]:
    """Open each link with its own text; return the visits, and the CPU seconds of each."""
    timed_visits: list[tuple[Visit, float]] = []
    async with visitor(server.address) as client:
        await opened(client, "attention", "")
        for number, link in enumerate(links):
            address = urlsplit(link)
            query = "&".join(
                filter(None, [address.query, urlencode({"sentence": longest(number)})])
            )
            before = use(server.processes).cpu
            visit = await opened(client, address.path, query)
            timed_visits.append((visit, use(server.processes).cpu - before))
    return timed_visits


def main() -> None:
    """Start a server, open all links, and print the heaviest."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heaviest", description=__doc__)
    parser.add_argument("words", nargs="*", help="only links that hold one of these words")
    words = parser.parse_args().words
    links = [link for link in views() if not words or any(word in link for word in words)]
    with place(hall=False) as server:
        timed_visits = list(zip(links, asyncio.run(visits(server, links)), strict=True))
    timed_visits.sort(key=lambda one: -one[1][0].seconds)
    rows = [
        (link[:60], f"{visit.seconds:.2f}", f"{cpu:.2f}", len(visit.errors))
        for link, (visit, cpu) in timed_visits[:SHOWN]
    ]
    over = sum(visit.seconds > MOST for _, (visit, _) in timed_visits)
    title = f"{len(timed_visits)} links with the longest text, {over} of them over {MOST:.0f} s"
    table(title, ("link", "seconds", "CPU s", "errors"), rows)


if __name__ == "__main__":
    main()
