"""One app and one Chromium for all browser tests; a fresh page each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.chromium import FLAGS, find_chromium
from browser.server import running_app
from model import Translator, load_translator
from viz.compute.runs import CHECKPOINT

expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong

REFUSED = "Content Security Policy"
"""What Chromium says on its console when a page may not load something."""


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the running app."""
    with running_app(tmp_path_factory.mktemp("app") / "log.txt") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, headless."""
    executable = find_chromium()
    assert executable is not None, "no Chromium: run `python -m tests`, which installs one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh browser page; errors in its scripts and what it may not load fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if REFUSED in said.text else None)
    yield page
    context.close()
    assert not errors, errors


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go; pytest keeps the folders of the last three runs."""
    return tmp_path_factory.mktemp("shots")


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The model that the app shows."""
    return load_translator(CHECKPOINT)
