"""In the laboratory nothing moves that is pressed, and what it does stays in view."""

import re

from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest

LONG = 60_000


def boxes(cells: Locator) -> list[dict[str, float]]:
    """Return where cells are, and how large."""
    return cells.evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().toJSON())")


def nothing_changed_draws_no_pictures_of_no_change(page: Page) -> None:
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".js-plotly-plot")).to_have_count(0)


def test_the_cells_keep_size_and_place_whatever_is_off(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_heads")
    nothing_changed_draws_no_pictures_of_no_change(page)
    cells = page.locator('.board .cell[data-switch]:not([title*=" · "])')
    expect(cells.first).to_be_visible(timeout=LONG)
    rest(page)
    before = boxes(cells)
    assert len({(round(box["width"]), round(box["height"])) for box in before}) == 1
    for name in ("cross 5.6", "encoder 1.1", "decoder 6.8"):
        cell = page.locator(f'.board .cell[data-switch]:not([title*=" · "])[aria-label^="{name}"]')
        cell.click()
        expect(cell).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page.get_by_role("button", name="decoder 6.8: off (zero")).to_be_attached(timeout=LONG)
    rest(page)
    assert boxes(cells) == before
    nothing_lies_over_the_result_of_what_is_pressed(page)


def nothing_lies_over_the_result_of_what_is_pressed(page: Page) -> None:
    button = page.locator(".st-key-experiments button").nth(2)
    button.hover()
    expect(page.get_by_test_id("stTooltipContent")).to_be_visible(timeout=LONG)
    button.click()
    expect(button).to_have_attribute("kind", "primary", timeout=LONG)
    expect(page.get_by_test_id("stTooltipContent")).to_be_hidden()


def test_before_and_after_are_in_view_from_the_board_to_the_last_picture(
    page: Page, app: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 600})
    page.goto(f"{app}/lab_heads?edits=zero.c.5.6")
    shown = page.locator(".st-key-before-after")
    expect(shown).to_contain_text(re.compile("Before.*After", re.DOTALL), timeout=LONG)
    expect(page.locator(".st-key-difference .js-plotly-plot")).to_be_attached(timeout=LONG)
    for share in (0, 0.5, 1):
        page.get_by_test_id("stMain").evaluate(
            "(node, share) => node.scrollTo(0, share * node.scrollHeight)", share
        )
        expect(shown).to_be_in_viewport(ratio=1)


def test_colours_of_importance_say_which_end_is_worse(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_heads?sentence=Thank+you.")
    foot = page.locator(".foot")
    expect(foot).to_contain_text(
        re.compile("less likely without it \u2212[0-9.]+.*[0-9.]+ more likely without it"),
        timeout=2 * LONG,
    )
