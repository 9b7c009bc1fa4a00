"""Figures below the first screen of a scene: drawn in their place, after what a class looks at."""

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest
from tests.browser.letters import small_letters, watch_letters
from tests.nightly import nightly

LONG = 120_000
NEVER = "window.requestIdleCallback = () => 0;"
"""A browser that never has time for what is not seen."""

LATER = """window.later = [];
{
  const { requestIdleCallback } = window;
  window.requestIdleCallback = (one, how) => how ? requestIdleCallback(one, how) : later.push(one);
}"""
"""A browser that has time for what is not seen when the test says so, and for a rest at once."""

SCROLL = """(name) => {
  const hosts = [document, ...[...document.querySelectorAll("*")].map((one) => one.shadowRoot)];
  hosts.map((host) => host?.querySelector(name)).find(Boolean)?.scrollIntoView();
}"""
"""Scrolls to a place; what replaces it in this moment is not missed."""

REPLACED = """window.replaced = 0;
new MutationObserver((changes) => {
  for (const { removedNodes } of changes)
    for (const node of removedNodes) replaced += Boolean(node.querySelector?.(".js-plotly-plot"));
}).observe(document, { subtree: true, childList: true });"""
"""Counts the figures that are drawn and then taken away."""

BELOW = {
    "lesson=il_elle&scene=3": ("pair-difference", "measures", "agreement"),
    "lesson=more_claims&scene=12": ("gradients-picture", "update-picture"),
}
"""The figures below the first screen of some scenes."""


def on_stage(page: Page, app: str, scene: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app}/?{scene}&present=1")
    expect(page.locator("nav.bar")).to_be_visible(timeout=LONG)


@pytest.mark.parametrize(
    "scene", ["lesson=il_elle&scene=3", *nightly("lesson=more_claims&scene=12")]
)
def test_a_figure_below_takes_its_place_without_moving_the_page(
    page: Page, app: str, scene: str
) -> None:
    watch_letters(page)
    page.add_init_script(REPLACED)
    page.add_init_script(LATER)
    on_stage(page, app, scene)
    places = page.locator(".below")
    expect(places).to_have_count(len(BELOW[scene]), timeout=LONG)
    # The page asks for time once it has been looked at.
    page.wait_for_function("(count) => later.length >= count", arg=len(BELOW[scene]), timeout=LONG)
    rest(page)
    expect(places).to_have_count(len(BELOW[scene]))
    height = "() => document.querySelector('.stMain').scrollHeight"
    before = page.evaluate(height)
    page.evaluate("later.forEach((one) => one())")
    for name in BELOW[scene]:
        expect(page.locator(f".st-key-{name} .js-plotly-plot .main-svg").first).to_be_attached()
    expect(places).to_have_count(0)
    rest(page)
    assert abs(page.evaluate(height) - before) <= 2
    assert not small_letters(page)
    assert page.evaluate("replaced") == 0
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_figure_is_drawn_when_it_is_scrolled_to_and_stays(page: Page, app: str) -> None:
    page.add_init_script(NEVER)
    on_stage(page, app, "lesson=silence&scene=3")
    places, drawn = page.locator(".below"), page.locator(".stMain .js-plotly-plot .main-svg")
    expect(places).to_have_count(2, timeout=LONG)
    expect(drawn).to_have_count(0)
    page.evaluate(SCROLL, ".below")
    expect(page.locator(".st-key-likelihoods .js-plotly-plot")).to_be_attached()
    page.evaluate(SCROLL, ".st-key-below-difference")
    expect(places).to_have_count(0)
    # What has been drawn once is drawn with the page from then on.
    page.get_by_role("button", name="Reset all").click()
    expect(drawn).to_have_count(0)
    page.go_back()
    expect(page.locator(".st-key-likelihoods .js-plotly-plot")).to_be_attached()
    expect(places).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_off_the_stage_figures_are_drawn_with_the_page(page: Page, app: str) -> None:
    page.add_init_script(NEVER)
    page.goto(f"{app}/lab_heads?edits=zero.e.6.4")
    expect(page.locator(".st-key-likelihoods .js-plotly-plot")).to_be_attached(timeout=LONG)
    expect(page.locator(".below")).to_have_count(0)
