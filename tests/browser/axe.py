"""What axe finds on a page: faults for those who see or hear it otherwise."""

import json
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
STREAMLITS = ("[data-testid='stSidebarNav']", ".katex-display")
"""Streamlit's own: a list of pages with headings between its items, formulas that are scrolled."""


def found_by_axe(page: Page) -> list[str]:
    """List what axe finds, by its rules, without what is Streamlit's own.

    It does not load style sheets again: one rule alone reads them, of screens that may not turn.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    context = json.dumps({"exclude": [[selector] for selector in STREAMLITS]})
    result: dict[str, Any] = page.evaluate(
        f"() => axe.run({context}, {{ resultTypes: ['violations'], preload: false }})"
    )
    return [
        f"{broken['id']}: {node['html'][:160]}"
        for broken in result["violations"]
        for node in broken["nodes"]
    ]
