"""The model in the page, in Node, for all who ask it something."""

from collections.abc import Iterator

import pytest

from tests.viz.live.engine import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """The shipped model, which answers one task after the other."""
    with Engine() as opened:
        opened.open()
        yield opened
