"""The first visitors come all at once, and meet a server that has done everything before."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.conftest import VISITORS
from viz.server.visit import Answer

ROOT = Path(__file__).parents[2]

# The start opens every page. Afterwards this opens the views of those that have some.
LATE_IMPORTS = """
import asyncio, sys
from app import app
from viz.server.warm_up import FirstVisitor

VIEWS = {links}

async def main():
    async with app.lifespan()(None):
        before = set(sys.modules)
        visitor = FirstVisitor()
        for page, queries in VIEWS.items():
            for query in queries:
                await visitor.open(page, query)
        late = {{name.split(".")[0] for name in set(sys.modules) - before}}
        print(sorted(late - {{"viz"}} - sys.stdlib_module_names))

asyncio.run(main())
"""

VIEWS = {
    "head": ("one_head=all queries, exactly", "one_head=slices or projections"),
    "layers": ("layers=one token", "layers=cost", "layers=shapes"),
    "tokens": ("tokens=embedding", "tokens=neighbours", "tokens=map"),
    "positions": ("positions=table", "positions=shift by k"),
    "lab_scale": ("break=positions side by side",),
}


def test_thirty_first_visitors_at_once_all_see_their_page(
    first_answers: list[tuple[str, Answer]],
) -> None:
    assert len(first_answers) == VISITORS
    assert len({page for page, _ in first_answers}) > 10
    assert [(page, answer.errors) for page, answer in first_answers if answer.errors] == []


@pytest.mark.nightly
def test_no_page_imports_a_package_that_the_warm_up_has_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LATE_IMPORTS.format(links=VIEWS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=380,
    )
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr[-3000:]
