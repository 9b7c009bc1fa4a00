"""Trace on the site: the maps of any two sentences, and a cell that changes the translation."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from model import Translator
from model.interventions import link_text
from tests.browser.test_site_attention import asked
from tests.sentences import TIRED_OR_WIDE
from viz.compute import traces

FIRST = "The cat (a BLACK one) sleeps on the mat."
SECOND = "The dog (a BLACK one) sleeps on the mat."


def answered(page: Page) -> Locator:
    """Return the maps once the model has answered."""
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible(
        timeout=120_000
    )
    expect(page.locator(".counted")).to_be_hidden()
    return page.locator(".trace")


@pytest.mark.parametrize("width", [1440, 390])
def test_a_pressed_cell_brings_the_other_answer(
    page: Page, host: str, translator: Translator, width: int
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{host}/trace.html")
    root = page.locator(".trace")
    expect(root).to_be_visible()
    assert [url for url in requests if "/model/" in url] == []
    found = traces.trace(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
    row, column = np.unravel_index(np.nanargmax(found.encoder), found.encoder.shape)
    root.locator(f"[data-cell='encoder {row} {column}']").click()
    expect(page.locator("#changes .chip")).to_have_count(1)
    answered(page)
    (patch,) = link_text.read(asked(page)["edits"]).interventions
    assert patch == found.patch("encoder", int(row), int(column))
    changed = translator.run(TIRED_OR_WIDE.first, (patch,)).translation.text
    expect(page.locator(".translations dd")).to_have_text(
        [translator.translate(TIRED_OR_WIDE.first).text, changed]
    )
    expect(root.locator(".answer")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    root.locator("button[aria-pressed=true]").click()
    expect(page.locator("#changes")).to_be_hidden()
    page.go_back()
    expect(page.locator("#changes .chip")).to_have_count(1)


def test_any_two_sentences_are_traced_in_both_views(page: Page, host: str) -> None:
    page.goto(f"{host}/trace.html?{urlencode({'sentence': FIRST, 'second': SECOND})}")
    root = answered(page)
    found = traces.trace(FIRST, SECOND)
    expect(root.locator(".map").first.locator("th[scope=col]")).to_have_count(
        found.encoder.shape[1]
    )
    page.locator("[data-part=sublayer]").click()
    page.wait_for_url("**/*traced=By*")
    answered(page)
    expect(root.locator(".map").first.locator("th[scope=col]")).to_have_count(12)


def test_sentences_that_never_part_are_said(page: Page, host: str) -> None:
    page.goto(f"{host}/trace.html?{urlencode({'sentence': FIRST, 'second': FIRST})}")
    expect(page.locator("#problem")).to_contain_text("Nothing to trace")
    expect(page.locator(".trace")).to_be_visible()
    expect(page.locator(".counted")).to_be_hidden()
