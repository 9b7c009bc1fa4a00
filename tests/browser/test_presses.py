"""The search for faults finds them, and none where there is none."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext

from benchmarks.presses import Presser


@pytest.fixture
def presser(window: BrowserContext, app: str) -> Iterator[Presser]:
    presser = Presser(window, app, seed=1)
    yield presser
    presser.page.close()


def test_some_presses_show_no_fault(presser: Presser) -> None:
    while presser.presses < 8 or len(presser.done) < 2:  # a fresh tab begins with its opening
        presser.press()
    assert presser.fault() is None


PLANTED = {
    "script: planted": "setTimeout(() => { throw Error('planted'); })",
    "Content Security Policy": "fetch('https://example.org').catch(() => {})",
    "KeyError: planted": """const wrong = document.createElement("div");
        wrong.dataset.testid = "stException";
        wrong.textContent = "KeyError: planted";
        document.querySelector(".stMain").append(wrong);""",
    "the page is empty": "document.querySelector('.stMain').replaceChildren()",
}
"""What is found, and the script that does what is wrong; the last ones stay on the page."""


def test_what_is_wrong_is_found(presser: Presser) -> None:
    assert presser.fault() is None
    for fault, script in PLANTED.items():
        presser.errors.clear()
        presser.page.evaluate(script)
        assert fault in (presser.fault() or "")
