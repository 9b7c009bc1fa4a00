"""The place of Chromium: named in the environment, the system's, or Playwright's own."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

VARIABLE = "HEADLIGHT_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no windows of its own, and costs a quarter less at each visit."""

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


def find_chromium() -> Path | None:
    """Return the executable, or None when there is none."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    for name in NAMES:
        if found := shutil.which(name):
            return Path(found)
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() else None
