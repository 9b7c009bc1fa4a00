"""Every page says in one line that there is no sentence to translate."""

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import components
from viz.course.pages import COURSE

PAGES = [entry.link for entry in COURSE if entry.has_box]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [*((name, "   ") for name in PAGES), *((PAGES[0], text) for text in ("", "\u200b", "\x07"))],
)
def test_nothing_to_translate_is_said_in_one_line(
    open_page: OpenPage, name: str, sentence: str
) -> None:
    page = open_page(name, sentence=sentence)
    assert not page.exception
    assert len(page.info) == 1
    assert not components(page)
    assert not page.get("plotly_chart")
