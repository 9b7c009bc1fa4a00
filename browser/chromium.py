"""The place of Chromium: named in the environment, the system's, or Playwright's own."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from viz.handout.chromium import installed


def find_chromium() -> Path | None:
    """Return the executable, or None when there is none."""
    if place := installed():
        return place
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() else None
