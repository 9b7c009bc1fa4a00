"""Figures on a page: how tests find them."""

from playwright.sync_api import Locator, Page


def picture(page: Page, name: str) -> Locator:
    # While a page is drawn anew, Streamlit may show the old picture and the new one.
    return page.locator(f".st-key-{name}-picture .js-plotly-plot").last
