"""The top bar of all pages in the browser: its height, its place, and the link it shares."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.waiting import LONG, rest
from tests.nightly import nightly
from tests.sentences import EXAMPLES

OUTSIDE = """() => [...document.querySelectorAll('.bar-said')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.top < 0 || box.bottom > 64;
})"""
CUT = """() => [...document.querySelectorAll('.bar-said')]
    .filter(text => text.scrollHeight >= text.clientHeight + 10).map(text => text.textContent)"""
"""What misses a line; the tails of letters stand a little below the last one."""
LONG_TEXT = "Because the old bridge was closed, " * 6 + "we walked."


def test_a_long_sentence_stays_inside_the_head(app: str, page: Page) -> None:
    width = 390
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{app}/about?sentence={LONG_TEXT}")
    expect(page.locator(".bar-said")).to_have_count(2)
    # What stands in the bar comes piece by piece, and moves the rest until it is all there.
    page.wait_for_function(f"() => ({OUTSIDE})().length === 0")
    rest(page)
    for text in page.locator(".bar-said").all():
        expect(text).to_be_visible()
        box = text.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        assert box["width"] >= 120
    translation = page.locator(".bar-said").last
    translation.click()
    assert page.evaluate(CUT) == [page.locator(".bar-said").first.text_content()]
    box = translation.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    lowest = [box["x"] + 20, box["y"] + box["height"] - 4]  # and nothing cuts it off or covers it
    found = page.evaluate("(at) => document.elementFromPoint(...at).className", lowest)
    assert "bar-said" in found
    page.keyboard.press("Tab")
    page.wait_for_function(f"() => ({OUTSIDE})().length === 0")


def test_both_texts_of_the_first_example_are_whole_and_the_english_is_edited(
    app: str, page: Page
) -> None:
    page.goto(f"{app}/about")
    expect(page.locator(".bar-said").last).to_contain_text("fatigué")
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
    for width in (1440, 1024, 640, 390, 360, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(f"() => ({CUT})().length === 0")
        rest(page)
        for tool in page.locator(".st-key-top-bar").get_by_role("button").all():
            box = tool.bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 64
            assert box["x"] + box["width"] <= width
    the_english_is_edited_in_place_and_what_changed_flashes(page)


def the_english_is_edited_in_place_and_what_changed_flashes(page: Page) -> None:
    english, french = page.locator(".bar-said").first, page.locator(".bar-said").last
    english.click(force=True)  # the words let the click through to the box behind them
    box = page.get_by_label("Sentence to translate")
    expect(box).to_be_focused()
    expect(english).to_be_hidden()
    box.fill(EXAMPLES["too wide"])
    box.press("Enter")
    expect(french.locator(".bar-new")).to_have_text(["qu'elle", "large."])
    box.blur()
    expect(english).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), *nightly((390, 844))])
def test_an_example_is_taken_from_the_list_or_looked_at_where_it_shows(
    app: str, page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app}/tokens")
    rest(page)
    page.get_by_role("button", name="Examples").click()
    panel = page.get_by_role("dialog", name="Examples")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Examples")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel).to_be_visible()
    wide = panel.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    assert wide, "the list is scrolled sideways"
    panel.get_by_role("button", name=EXAMPLES["thinking machines"], exact=True).click()
    expect(panel).to_be_hidden()
    expect(page.get_by_label("Sentence to translate")).to_have_value("Thinking machines")
    expect(page.locator(".bar-said").last).not_to_contain_text("fatigué")
    rest(page)
    page.get_by_role("button", name="Examples").click()
    panel.get_by_role("link", name="See it: I never drink coffee.").click()
    expect(page).to_have_url(re.compile(r"/attention\?.*kind=cross.*layer=4.*head=2"))
    expect(page.locator("p.said")).to_contain_text("never")
    expect(page.get_by_label("Sentence to translate")).to_have_value("I never drink coffee.")


@pytest.mark.parametrize("secure", [False, *nightly(True)])
def test_share_copies_the_link_of_the_view(app: str, browser: Browser, *, secure: bool) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(LONG)
    if not secure:  # as over plain http from another machine
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"{app}/tokens?tokens=map")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    box = page.get_by_label("Sentence to translate")
    box.fill("")
    box.press("Control+V")
    expect(box).to_have_value(
        f"{app}/tokens?tokens=map&sentence=The+animal+didn%27t+cross+the+street+because+it+was+"
        "too+tired."
    )
    context.close()


def test_who_wants_to_try_a_sentence_can_type_it_at_once(page: Page, app: str) -> None:
    page.goto(app)
    page.get_by_role("link", name="Try your own sentence").click()
    box = page.get_by_label("Sentence to translate")
    expect(box).to_be_focused()
    box.evaluate("(box) => box.setSelectionRange(99, 99)")  # as after a redraw with its text
    page.wait_for_function("""() => {
      const { value, selectionStart, selectionEnd } = document.activeElement;
      return value && selectionStart === 0 && selectionEnd === value.length;
    }""")
    page.keyboard.type("The cat is here.")
    page.keyboard.press("Enter")
    expect(box).to_have_value("The cat is here.")
    expect(page.locator(".st-key-bar-target")).to_contain_text("chat")


def test_the_mark_of_a_far_sentence_tells_why_within_the_window(app: str, page: Page) -> None:
    width = 390
    page.set_viewport_size({"width": width, "height": 720})
    page.goto(f"{app}/about?sentence=Photosynthesis+turns+sunlight+into+sugar.")
    mark = page.get_by_role("note")
    why = page.locator(".bar-far-why")
    expect(mark).to_be_visible()
    expect(why).to_be_hidden()
    rest(page)
    mark.focus()
    expect(why).to_be_visible()
    expect(why).to_contain_text("rarer")
    box = why.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 6]
    assert page.evaluate("(at) => document.elementFromPoint(...at).className", at) == "bar-far-why"


def test_the_keyboard_stays_where_a_change_was_undone_and_goes_into_an_open_box(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/lab_heads?edits=zero.e.6.4")
    page.get_by_role("button", name="Reset all").press("Enter", timeout=LONG)
    expect(page.locator(".st-key-edits-row")).to_be_focused(timeout=LONG)
    expect(page.locator(".st-key-edits-row")).to_contain_text("Nothing is changed")
    rest(page)
    menu = page.locator(".st-key-model-menu button").locator("visible=true").first
    menu.press("Enter")
    choice = page.locator("[data-testid=stPopoverBody] input")
    expect(choice).to_be_visible()
    menu.press("Tab")
    expect(choice).to_be_focused()
    choice.press("Shift+Tab")
    expect(menu).to_be_focused()
