"""The model in the page, in Node, for all who ask it something."""

from collections.abc import Iterator

import pytest

from tests.viz.live.engine import SHIPPED, Engine


@pytest.fixture(scope="session")
def node() -> Iterator[Engine]:
    """The process, with the model that was opened last."""
    with Engine() as process:
        yield process


@pytest.fixture(scope="module")
def engine(node: Engine) -> Engine:
    """The shipped model, which answers one task after the other."""
    if node.opened != SHIPPED:
        node.open()
    return node
