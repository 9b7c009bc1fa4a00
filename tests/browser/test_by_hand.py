"""By hand: what is typed is in the link, and what stands in its figures is read on a phone."""

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest
from tests.nightly import nightly

UNREADABLE = """() => {
  const all = (names) => [...document.querySelectorAll(names)];
  const texts = all(".js-plotly-plot svg text").filter((text) => text.textContent);
  const small = texts.filter((text) => parseFloat(getComputedStyle(text).fontSize) < 11);
  const cut = texts.filter((text) => text.getBoundingClientRect().right > 374);
  const titles = all(".annotation-text").map((text) => text.getBoundingClientRect());
  const across = (a, b) => a.left < b.right && b.left < a.right;
  const down = (a, b) => a.top < b.bottom && b.top < a.bottom;
  const crossed = titles.filter((box, at) =>
    titles.slice(0, at).some((other) => across(box, other) && down(box, other)));
  const wide = all(".katex-display").filter((node) => node.scrollWidth > node.clientWidth);
  return [small, cut, crossed, wide].map((found) => found.length);
}"""


@pytest.mark.parametrize("view", ["why √d_k", *nightly("Thinking Machines")])
def test_titles_ticks_and_formulas_are_read_on_a_phone(page: Page, app: str, view: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/by_hand?by hand={view}")
    expect(page.locator(".annotation-text").nth(2)).to_be_visible()
    rest(page)
    assert page.evaluate(UNREADABLE) == [0, 0, 0, 0]


@pytest.mark.parametrize("width", [900, *nightly(390, 1280)])
def test_no_label_of_a_weight_lies_across_the_bar(page: Page, app: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{app}/by_hand?present=1")
    expect(page.locator(".flow .share").nth(3)).to_be_visible()
    rest(page)
    across = """(bars) => bars.map((share) => {
      const edge = share.querySelector("u").getBoundingClientRect().top;
      const labels = [...share.querySelectorAll("span")];
      return labels.filter((label) => label.getBoundingClientRect().bottom > edge).length;
    })"""
    assert set(page.locator(".flow .share").evaluate_all(across)) == {0}


def test_a_typed_number_is_in_the_link(page: Page, app: str) -> None:
    page.goto(f"{app}/by_hand")
    rest(page)
    box = page.get_by_label("q · k₁, “Thinking”")
    box.fill("100")
    box.press("Enter")
    expect(page).to_have_url(f"{app}/by_hand?score_1=100")
    page.reload()
    expect(box).to_have_value("100")
    expect(page.locator(".flow").first).to_contain_text("4 apart")
