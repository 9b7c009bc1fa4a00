"""The times of the heaviest single requests: `python -m benchmarks.heaviest [WORD ...]`.

It opens every view in the list of links (tests/app/links.txt) and the heaviest known links, each
with a new text that fills all positions of the model, for one visitor alone. The goal is 3 s. With
words, it opens only the links that contain one of them. Times go from the request to the end of the
answer.
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
"""Forty branches, each with another first piece."""

WORST = (
    f"decoder?branches={MANY}",
    f"decoder?strategy=beam&width=8&branches={MANY}",
    f"decoder?strategy=sampling&branches={MANY}&branch=40",
    "decoder?strategy=beam&width=8&branches=100&branch=1",
)


def views() -> list[str]:
    """Return the links of all views, without the sentences that they name, and the worst ones."""
    known = CORPUS.read_text(encoding="utf-8").split()
    return list(dict.fromkeys([*(_bare(link) for link in known), *WORST]))


def _bare(link: str) -> str:
    """Remove a link's sentence and its changes: they name places of their own sentence."""
    path, _, query = link.partition("?")
    said = {name: text for name, text in parse_qs(query).items() if name not in _OWN}
    return f"{path}?{urlencode(said, doseq=True)}" if said else path


_OWN = ("sentence", "edits", "given", "scene", "lesson")


async def visits(here: Place, links: Sequence[str]) -> list[tuple[Visit, float]]:
    """Open each link with its own text; return the visits, and the CPU seconds of each."""
    found: list[tuple[Visit, float]] = []
    async with visitor(here.address) as one:
        await opened(one, "attention", "")
        for number, link in enumerate(links):
            address = urlsplit(link)
            query = "&".join(
                filter(None, [address.query, urlencode({"sentence": longest(number)})])
            )
            before = use(here.processes).cpu
            visit = await opened(one, address.path, query)
            found.append((visit, use(here.processes).cpu - before))
    return found


def main() -> None:
    """Start a server, open all, and print the heaviest."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heaviest", description=__doc__)
    parser.add_argument("words", nargs="*", help="only links that hold one of these words")
    words = parser.parse_args().words
    links = [link for link in views() if not words or any(word in link for word in words)]
    with place(hall=False) as here:
        found = list(zip(links, asyncio.run(visits(here, links)), strict=True))
    found.sort(key=lambda one: -one[1][0].seconds)
    rows = [
        (link[:60], f"{visit.seconds:.2f}", f"{cpu:.2f}", len(visit.errors))
        for link, (visit, cpu) in found[:SHOWN]
    ]
    over = sum(visit.seconds > MOST for _, (visit, _) in found)
    title = f"{len(found)} links with the longest text, {over} of them over {MOST:.0f} s"
    table(title, ("link", "seconds", "CPU s", "errors"), rows)


if __name__ == "__main__":
    main()
