"""One app for all workers and one Chromium for each; a fresh tab for each test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser.chromium import find_chromium
from browser.server import running_app
from browser.waiting import LONG
from model import Translator
from tests.browser.doubles import bear_with_doubles
from tests.browser.shared import folder_of_the_run, made_once, shared
from tests.browser.static_host import hosted
from viz.compute import models, translators
from viz.handout.chromium import FLAGS
from viz.site.site import write_site

expect.set_options(timeout=90_000)  # a busy machine is slow, not wrong
bear_with_doubles()

ONE_PROCESS = "--process-per-site"
"""All tabs share the scripts that Chromium has loaded and compiled: half of a visit's work."""

Scheme = Literal["light", "dark"]
"""What a visitor's machine asks pages to look like."""

ADDRESS = "https://headlight.example/get"
"""Where the site says that the program is."""

OPENED_AT_ONCE = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...moves) {
  const animation = animate.apply(this, moves);
  if (this instanceof HTMLDetailsElement) animation.finish();
  return animation;
};
"""
"""Streamlit lets a box grow for half a second, while what is scrolled in it moves under a press."""

REFUSED = "Content Security Policy"
"""What Chromium says on its console when a page may not load something."""


@pytest.fixture(scope="session")
def app(window: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the running app; one tab stays open on it, and so does Chromium's process.

    Its classes lie in a folder of their own: those of earlier runs would fill the usual one.
    """
    folder = folder_of_the_run(tmp_path_factory)

    @contextmanager
    def start() -> Iterator[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(folder))
            with running_app(folder / "app.log") as address:
                patch.undo()
                yield address

    with shared(folder, start) as address:
        window.new_page().goto(f"{address}/favicon.png")
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, headless."""
    executable = find_chromium()
    assert executable is not None, "no Chromium: run `python -m tests`, which installs one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*FLAGS, ONE_PROCESS])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """The window in which tests open their tabs."""
    window = browser.new_context(viewport={"width": 1280, "height": 900})
    window.add_init_script(OPENED_AT_ONCE)
    window.set_default_timeout(LONG)
    yield window
    window.close()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A fresh tab; errors in its scripts and what it may not load fail the test."""
    page = window.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if REFUSED in said.text else None)
    yield page
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
    page.close()
    window.clear_cookies()
    assert not errors, errors


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The model that the app shows."""
    return translators.loaded(models.default())


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the shipped model, written once for all workers."""

    def write(folder: Path) -> None:
        said: list[str] = []
        size = write_site(folder, ADDRESS, said.append)
        assert [text.split()[0] for text in said] == ["recording"] * len(said)
        assert size == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    return made_once(folder_of_the_run(tmp_path_factory) / "course" / "site", write)


@pytest.fixture(scope="session")
def host(site: Path) -> Iterator[str]:
    """The same on a static host, below a path of its own."""
    with hosted(site.parent) as address:
        yield f"{address}/{site.name}"
