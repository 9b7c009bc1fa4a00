"""Each page opens once: what the quick tests know of the app as a whole."""

import pytest

from tests.app.conftest import FIRST, start
from viz.course.pages import COURSE

LINKS = [entry.link for entry in COURSE]


@pytest.mark.parametrize("link", LINKS)
def test_a_page_opens(link: str) -> None:
    page = start(link)
    assert not page.exception
    assert not page.error
    assert not page.warning
    assert page.get("bidi_component")
    assert link == FIRST or len(page.header) == 1


def test_a_page_that_fails_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise ValueError("broken")

    monkeypatch.setattr("viz.shell.watching.watch", lambda *_: failing())
    assert start("attention").exception
