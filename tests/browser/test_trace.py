"""The page Trace in a browser: a pressed cell, a dragged bar and a turned arc are changes."""

import re

from playwright.sync_api import Page, expect

from browser.waiting import rest

LONG = 60_000
WIDE = "The+animal+didn%27t+cross+the+street+because+it+was+too+wide."


def test_a_pressed_cell_turns_the_answer(page: Page, app: str) -> None:
    page.set_default_timeout(LONG)
    page.goto(f"{app}/trace?second={WIDE}")
    rest(page)
    cell = page.get_by_role("button", name=re.compile("^·it · memory"))
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=patch\.e~memory\.12\.all\."), timeout=LONG)
    changed = page.locator(".answer").filter(has_text="In this one, changed")
    likely = changed.locator(".figure").last
    expect(likely).to_contain_text(re.compile(r"^[5-9]\d\.\d%"), timeout=LONG)
    expect(page.get_by_role("button", name="memory: “it”")).to_be_visible(timeout=LONG)
    rest(page)
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "false", timeout=LONG)


def test_a_head_leads_to_where_else_it_looks_like_this(page: Page, app: str) -> None:
    page.set_default_timeout(LONG)
    page.set_viewport_size({"width": 1440, "height": 900})  # all three kinds beside each other
    page.goto(f"{app}/trace?second={WIDE}&traced=By+head&carried=z")
    below = page.locator(".chosen-head")
    expect(below.locator("b")).to_have_text(re.compile(r"^\w+ \d\.\d$"))
    rest(page)
    head = page.get_by_role("button", name=re.compile("^layer 6 · head 4")).first
    expect(head).to_have_text(re.compile(r"\d\.\d\d"), timeout=LONG)
    cut = "cells => cells.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.locator(".map td button").evaluate_all(cut) == 0
    head.focus()
    expect(below.locator("b")).to_have_text("encoder 6.4")
    below.get_by_role("link", name="Where else?").click()
    expect(page).to_have_url(re.compile(r"/atlas\?word=12&.*layer=6&head=4"), timeout=LONG)
    expect(page.locator(".evidence")).to_have_attribute("data-rows", "8", timeout=LONG)


def test_an_arc_is_dragged_to_another_word_and_a_bar_takes_from_the_others(
    page: Page, app: str
) -> None:
    page.set_default_timeout(LONG)
    place = "traced=Set+the+weights&kind=encoder&layer=6&head=4&word=12"
    page.goto(f"{app}/trace?second={WIDE}&{place}")
    end = page.get_by_role("slider", name="the end of the arc")
    expect(end).to_have_attribute("aria-valuetext", "·animal", timeout=LONG)
    end.scroll_into_view_if_needed()
    rest(page)
    own, street = end.bounding_box(), page.locator(".track[title='·street']").bounding_box()
    assert own
    assert street
    page.mouse.move(own["x"] + own["width"] / 2, own["y"] + own["height"] / 2)
    page.mouse.down()
    page.mouse.move(street["x"] + street["width"] / 2, own["y"], steps=5)
    expect(page.locator(".chances")).to_contain_text("encoder 6.4 looks at ·street alone: ")
    expect(page.locator(".track[title='·street']")).to_have_attribute("aria-valuenow", "1.00")
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"edits=turn\.e\.12\.9\.6-4"), timeout=LONG)
    expect(end).to_have_attribute("aria-valuetext", "·street", timeout=LONG)
    end.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"edits=turn\.e\.12\.8\.6-4"), timeout=LONG)
    rest(page)
    page.get_by_role("button", name="Reset all").click()
    expect(page).not_to_have_url(re.compile("edits="), timeout=LONG)
    expect(end).to_have_attribute("aria-valuetext", "·animal", timeout=LONG)
    rest(page)
    a_dragged_bar_takes_from_the_others(page)


def a_dragged_bar_takes_from_the_others(page: Page) -> None:
    street = page.get_by_role("slider", name="·street", exact=True)
    street.scroll_into_view_if_needed()
    rest(page)
    box = street.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 4, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"edits=look\.e\.6\.4\.12\."), timeout=LONG)
    expect(street).to_have_attribute("aria-valuenow", re.compile(r"^0\.7"), timeout=LONG)
    weights = page.locator(".track").evaluate_all(
        "bars => bars.map(bar => Number(bar.getAttribute('aria-valuenow')))"
    )
    assert abs(sum(weights) - 1) < 0.05
    page.set_viewport_size({"width": 390, "height": 844})
    rest(page)
    answer = page.locator(".answer").last
    expect(answer.locator(".figure").last).to_be_visible()
    assert answer.evaluate("(row) => row.scrollWidth <= row.clientWidth"), "cut on a phone"
