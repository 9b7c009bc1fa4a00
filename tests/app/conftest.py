"""The app without a browser, on the shipped checkpoint."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

MAIN = Path(__file__).parent.parent.parent / "viz" / "shell" / "main.py"
FIRST = "story"

# For each AppTest, Streamlit reads what every installed package says of itself (0.2 s of CPU time):
# four times the work of a page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

OpenPage = Callable[..., AppTest]


def start(page: str, **parameters: str | list[str]) -> AppTest:
    """Open a page as a link does: by its name in links, with the link's parameters."""
    app = AppTest.from_file(str(MAIN), default_timeout=240)  # 128 steps on a busy machine
    for name, value in parameters.items():
        app.query_params[name] = value
    if page != FIRST:
        # AppTest itself reaches a page only by way of the first one; a link does not.
        app._page_hash = calc_hash(page)
    return app.run()


@pytest.fixture
def open_page() -> OpenPage:
    """Opens pages as links do."""
    return start
