"""The app together with a headless Chromium, for measurements."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from browser.chromium import find_chromium
from browser.server import running_app
from viz.handout.chromium import FLAGS


@contextmanager
def app_in_chromium() -> Iterator[tuple[str, Browser]]:
    """Start both, yield the app's address and the browser, and end both.

    Raises RuntimeError if the app does not start.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder) / "log.txt") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield address, browser
        browser.close()
