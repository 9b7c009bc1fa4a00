"""Every page in every language: without an error, and without English that is left over."""

from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.app.conftest import OpenPage
from tests.app.leftovers import leftovers
from viz.course.pages import COURSE, FIRST
from viz.language.text import ENGLISH, languages

OTHERS = [name for name in languages() if name != ENGLISH]
LINKS = (Path(__file__).parent / "links.txt").read_text("utf-8").split()
NAMED = {link.partition("?")[0] for link in LINKS}
VIEWS = [f"{entry.link}?{one.view}" for entry in COURSE for one in entry.visits if one.view]
OPENED = [
    *LINKS,
    *(link for link in VIEWS if link not in LINKS),
    *(entry.link for entry in COURSE if entry.link not in NAMED),
]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("link", OPENED)
def test_nothing_of_english_is_left(open_page: OpenPage, link: str, language: str) -> None:
    name, _mark, query = link.partition("?")
    page = open_page(name or FIRST, **{**dict(parse_qsl(query)), "lang": language})
    assert not page.exception
    assert leftovers(page, language) == []


def test_english_that_is_left_is_found(open_page: OpenPage) -> None:
    """The same pages in English are full of what is looked for."""
    for name in ("attention", "learning", "about"):
        assert len(leftovers(open_page(name, lang=ENGLISH), OTHERS[0])) > 10
