"""The app without a browser, on the shipped checkpoint."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parent.parent.parent / "viz" / "shell" / "main.py"

OpenPage = Callable[..., AppTest]


@pytest.fixture
def open_page() -> OpenPage:
    """Opens a page as a link does: its file name and the link's parameters."""

    def open_(page: str, **parameters: str) -> AppTest:
        app = AppTest.from_file(str(MAIN), default_timeout=60)
        for name, value in parameters.items():
            app.query_params[name] = value
        return app.run().switch_page(f"../pages/{page}.py").run()

    return open_
