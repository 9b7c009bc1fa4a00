"""Pages that need a model beside the one in force: without it they say so, and open another."""

import pytest

from tests.app.conftest import start
from tests.app.shown import components


@pytest.mark.parametrize(
    ("page_link", "choices"),
    [("recurrent", {}), ("recurrent", {"models": "all"}), ("two_models", {})],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_that_needs_another_model_says_so_and_opens_with_it(
    page_link: str, choices: dict[str, str], language: str
) -> None:
    page = start(page_link, model="zh-en", lang=language, **choices)
    assert len(page.info) == 1
    assert not components(page)
    next(button for button in page.button if "en-fr" in button.label).click().run()
    assert not page.info
    assert components(page)
    assert all("en-fr" not in button.label for button in page.button)
