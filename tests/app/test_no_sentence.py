"""Every page about a sentence says in one line that there is none."""

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import components

PAGES = ("attention", "head", "layers", "decoder", "tokens", "block", "lab_heads", "lab_masks")


@pytest.mark.parametrize("sentence", ["", "   ", "\u200b", "\x07"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_to_translate_is_said_in_one_line(
    open_page: OpenPage, name: str, sentence: str
) -> None:
    page = open_page(name, sentence=sentence)
    assert not page.exception
    assert len(page.info) == 1
    assert not components(page)
    assert not page.get("plotly_chart")
