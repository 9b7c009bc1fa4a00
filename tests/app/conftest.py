"""The app without a browser, on the shipped checkpoint."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parent.parent.parent / "viz" / "shell" / "main.py"

OpenPage = Callable[..., AppTest]


def file_of(page: str) -> str:
    """Return the file in viz/pages of a page by its name in the link."""
    if page == "recording":
        return "translation/page.py"
    return f"lab/{page[4:]}_page.py" if page.startswith("lab_") else f"{page}/page.py"


@pytest.fixture
def open_page() -> OpenPage:
    """Opens a page as a link does: its name there and the link's parameters."""

    def open_(page: str, **parameters: str) -> AppTest:
        app = AppTest.from_file(str(MAIN), default_timeout=60)
        for name, value in parameters.items():
            app.query_params[name] = value
        return app.run().switch_page(f"../pages/{file_of(page)}").run()

    return open_
