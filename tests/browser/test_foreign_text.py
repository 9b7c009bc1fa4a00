"""A link cannot make the browser of whoever opens it ask another host."""

from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

IMAGE = "![x](http://h.test/i.png)"


@pytest.mark.parametrize(
    "link",
    [
        f"tokens?tokens=other+cuts&sentence={quote(IMAGE)}+$5+and+$6+~~then~~+www.h.test",
        f"lab_masks?kind={quote(IMAGE)}&layer={quote(IMAGE)}&head={quote(IMAGE)}",
        f"attention?lesson={quote(IMAGE)}+http://h.test&sentence={quote(IMAGE)}",
    ],
)
def test_no_link_makes_the_browser_ask_another_host(app: str, page: Page, link: str) -> None:
    """What the policy of the page stops counts as well: the fixture fails on it."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{app}/{link}")
    shown = page.get_by_test_id("stApp")
    expect(shown).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_text("![x]").first).to_be_visible()
    hosts = {urlsplit(url).netloc for url in asked if urlsplit(url).scheme.startswith("http")}
    assert hosts == {urlsplit(app).netloc}
    # The page's own links hold the sentence, and lead nowhere else.
    places = "all => all.map((one) => one.href || one.src)"
    linked = page.locator("a[href], img[src]").evaluate_all(places)
    assert [link for link in linked if "h.test" in urlsplit(link).netloc] == []
    assert page.locator(".katex", has_text="5").filter(has_text="and").count() == 0
    assert page.locator("del").count() == 0
