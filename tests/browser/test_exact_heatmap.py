"""The exact heatmap of one head, to which the links of a page lead that is no more."""

import re

from playwright.sync_api import Page, expect

from tests.sentences import DECIDING

EXACT = "head?one_head=all+queries%2C+exactly"
"""The view that has the heatmap."""


def test_type_a_sentence_and_see_it_translated(page: Page, app: str) -> None:
    page.goto(f"{app}/{EXACT}")
    box = page.get_by_label("Sentence to translate")
    box.fill("I am hungry.")
    box.press("Enter")
    expect(page.locator(".bar-said").last).to_contain_text("faim")
    heatmap = page.get_by_test_id("stPlotlyChart").locator(".heatmaplayer image")
    expect(heatmap.last).to_be_visible()  # the one before it stays on screen for a moment
    expect(page).to_have_url(re.compile(r"sentence=I(\+|%20)am(\+|%20)hungry\."))


def test_markup_in_a_sentence_stays_text(page: Page, app: str) -> None:
    page.goto(f"{app}/{EXACT}&sentence=<img src=x onerror=document.title='owned'> Hi.")
    expect(page.locator(".bar-said").first).to_contain_text("<img src=x")
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    assert page.locator("img[src='x']").count() == 0
    assert page.title() != "owned"


def test_a_link_opens_the_same_head(page: Page, app: str) -> None:
    page.goto(f"{app}/{EXACT}&kind=cross&layer=4&head=7")
    title = page.get_by_test_id("stPlotlyChart").locator(".gtitle")
    expect(title).to_contain_text("cross 4.7")
    page.goto(f"{app}/{EXACT}&kind=nonsense&layer=99&head=x")
    expect(title).to_contain_text(DECIDING)


def test_nothing_is_asked_of_another_host(page: Page, app: str) -> None:
    foreign: list[str] = []
    page.on(
        "request",
        lambda r: (
            None
            if r.url.startswith((app, "data:", "blob:", app.replace("http", "ws")))
            else foreign.append(r.url)
        ),
    )
    page.goto(f"{app}/{EXACT}")
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    assert foreign == []
