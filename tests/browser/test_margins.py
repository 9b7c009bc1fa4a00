"""Figures have their size, and the room that their labels take, before plotly draws them."""

import pytest
from playwright.sync_api import Page, expect

# plotly widens margins that are too narrow, and then draws the whole figure again.
TAKEN = """(plots) => plots.map(({ _fullLayout: { margin, _size } }) =>
  ["l", "r", "t", "b"].map((side) => _size[side] - Math.round(margin[side])))"""

RESIZED = """window.resized = 0;
new MutationObserver((changes) => {
  for (const { oldValue: before, target } of changes)
    resized += target.matches(".main-svg") && before && before !== target.getAttribute("height");
}).observe(document, { subtree: true, attributeFilter: ["height"], attributeOldValue: true });"""
"""Counts the drawings whose height changes after they have been drawn."""


@pytest.mark.parametrize(
    ("link", "figures"),
    [
        ("layers?layers=one+token&stack=decoder", 3),
        ("positions?positions=table", 1),
        ("tokens?tokens=neighbours", 1),
        ("block", 2),
        ("tokens?tokens=embedding", 2),
        ("head?one_head=all+queries%2C+exactly", 1),
        ("?lesson=claims&scene=4&present=1", 2),
        ("?lesson=silence&scene=3&present=1", 2),
        ("?lesson=more_claims&scene=16&present=1", 2),
    ],
)
def test_a_figure_is_drawn_once(page: Page, app: str, link: str, figures: int) -> None:
    page.add_init_script(RESIZED)
    page.goto(f"{app}/{link}")
    plots = page.locator(".js-plotly-plot:has(.main-svg)")
    expect(plots.nth(figures - 1)).to_be_attached(timeout=30_000)  # a question covers some
    page.wait_for_timeout(300)  # in which a figure would take the height of its place
    assert page.evaluate("resized") == 0
    assert all(grown <= 1 for sides in plots.evaluate_all(TAKEN) for grown in sides)
