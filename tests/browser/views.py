"""The choice among the views of a page: a row, and a menu for those that do not stand in it."""

from playwright.sync_api import Page, expect


def choose_view(page: Page, name: str) -> None:
    """Choose a view by its name on screen, from a page that has been drawn."""
    views = page.locator(".st-key-view-choice")
    chosen = views.get_by_role("radio", checked=True)
    expect(chosen).to_have_count(1)
    in_row = views.get_by_role("radio", name=name, exact=True)
    if in_row.count():
        in_row.click()
    else:
        views.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name=name, exact=True).click()
    expect(chosen).to_have_text(name)
