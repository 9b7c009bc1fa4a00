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
    for _press in range(8):
        presser.press()
    assert presser.presses == 8
    assert len(presser.done) > 1
    assert presser.fault() is None


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("setTimeout(() => { throw Error('planted'); })", "script: planted"),
        ("document.querySelector('.stMain').replaceChildren()", "the page is empty"),
        (
            """const wrong = document.createElement("div");
            wrong.dataset.testid = "stException";
            wrong.textContent = "KeyError: planted";
            document.querySelector(".stMain").append(wrong);""",
            "KeyError: planted",
        ),
        ("fetch('https://example.org').catch(() => {})", "Content Security Policy"),
    ],
)
def test_what_is_wrong_is_found(presser: Presser, planted: str, fault: str) -> None:
    assert presser.fault() is None
    presser.page.evaluate(planted)
    assert fault in (presser.fault() or "")
