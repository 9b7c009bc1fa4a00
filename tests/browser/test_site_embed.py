"""A view of the site in somebody else's page: the picture, and a link to the whole page."""

from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer
from model import Translator
from model.interventions import link_text
from tests.browser.static_host import PHONE, hosted
from tests.browser.test_site_attention import SENTENCE, answered

SAYS = {"sentence": SENTENCE, "edits": "zero.c.5.3", "kind": "cross", "layer": "5", "head": "3"}
COPY = "navigator.clipboard.writeText = (text) => Promise.resolve(void (window.copied = text))"


def test_share_offers_a_frame_that_shows_the_same_view_in_a_page_elsewhere(
    page: Page, host: str, translator: Translator, tmp_path: Path
) -> None:
    page.goto(f"{host}/attention.html?{urlencode(SAYS)}")
    root = answered(page)
    expect(page.locator(".whole")).to_be_hidden()
    page.evaluate(COPY)
    root.get_by_role("button", name="Share").click()
    root.locator("[data-export=frame]").click()
    expect(root.locator(".status")).to_contain_text("Frame copied")
    (tmp_path / "index.html").write_text(f"<!doctype html>{page.evaluate('copied')}")
    run = translator.run(SENTENCE, link_text.read(SAYS["edits"]).interventions)
    with hosted(tmp_path) as elsewhere:
        page.goto(elsewhere)
        frame = page.frame_locator("iframe")
        expect(frame.locator(".translation")).to_contain_text(run.translation.text)
        expect(frame.locator("#changes .chip")).to_have_count(1)
        expect(frame.locator(".explorer")).to_have_attribute("data-layer", "5")
        for gone in ("header", ".sentence", ".cards", "#program"):
            expect(frame.locator(gone).first).to_be_hidden()
        whole = frame.locator("#whole")
        expect(whole).to_be_visible()
        link = urlsplit(whole.get_attribute("href") or "")
    found = {name: values[0] for name, values in parse_qs(link.query).items()}
    assert found.items() >= SAYS.items()
    assert "embed" not in found


@pytest.mark.parametrize("name", ["index", "decoder", "head", "trace", "learning"])
def test_every_page_can_be_embedded(page: Page, host: str, name: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 720})
    page.goto(f"{host}/{name}.html?embed=1")
    expect(page.locator("#whole")).to_be_visible()
    expect(page.locator("header").first).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_a_file_has_no_frame_to_share(page: Page, site: Path) -> None:
    page.goto((site / "attention.html").as_uri())
    root = explorer(page)
    root.get_by_role("button", name="Share").click()
    expect(root.locator("[data-export=png]")).to_be_visible()
    expect(root.locator("[data-export=frame]")).to_have_count(0)
