"""A wait in the browser that has an end."""

import pytest
from playwright.sync_api import Browser, Error, expect

from browser.waiting import limited


def test_a_promise_that_nobody_keeps_ends_with_a_word(browser: Browser) -> None:
    page = browser.new_page()
    with pytest.raises(Error, match=r"waited 0.2 s for the 'moon' to fall"):
        page.evaluate(limited("() => new Promise(() => 0)", 'the "moon" to fall', 0.2))
    assert page.evaluate(limited("(given) => given + 1", "a sum"), 2) == 3
    page.close()


def test_an_element_that_is_there_twice_for_a_moment_is_no_fault(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<p>old</p><p>new</p>")
    with pytest.raises(AssertionError, match="strict mode violation"):
        expect(page.locator("p")).to_have_text("new", timeout=200)
    page.evaluate("() => void setTimeout(() => document.querySelector('p').remove(), 300)")
    expect(page.locator("p")).to_have_text("new")
    page.close()
