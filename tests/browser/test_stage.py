"""Lessons on stage: on a projector every scene has its picture in view, beside the card."""

import pytest
from playwright.sync_api import Page, expect

from viz.shell.lessons.shelf import read_shelf

LONG = 60_000
WIDTH, HEIGHT, BAR = 1280, 720, 64
PROJECTORS = ((WIDTH, HEIGHT), (1920, 1080))

LESSONS = {lesson.name: lesson for lesson in read_shelf("en").lessons}

VISIBLE = """([height, bar]) => {
  const chrome = ".st-key-top-bar, .st-key-lesson, .st-key-edits-row";
  const shapes = ".stBidiComponent, .js-plotly-plot, .stHtml";
  // A row of pieces, drawn as text, is a picture too: it is what the page is about.
  const boxes = [...document.querySelectorAll(shapes)].filter((part) => !part.closest(chrome))
    .map((part) => [part.getBoundingClientRect(), part.matches(".stHtml") ? 24 : 80])
    .filter(([box, least]) => box.width > 150 && box.height > least).map(([box]) => box);
  const seen = (box) => Math.min(box.bottom, height) - Math.max(box.top, bar);
  return boxes.some((box) => seen(box) >= Math.min(0.9 * box.height, (height - bar) / 2));
}"""
"""Whether a picture is in view, whole, or as half of the screen where it is larger than that."""


def see_picture(page: Page, number: int, height: int) -> None:
    """Wait until a scene's picture is in view, and nothing runs; covered ones have their room."""
    running = page.get_by_test_id("stApp")
    for _try in range(100):
        if page.evaluate(VISIBLE, [height, BAR]):
            expect(running).to_have_attribute("data-test-script-state", "notRunning", timeout=LONG)
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"scene {number}: no picture in view")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_scene_has_its_picture_in_view(
    page: Page, app: str, lesson: str, language: str
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson={lesson}&scene=1&present=1&lang={language}")
    for number in range(1, len(LESSONS[lesson].scenes) + 1):
        expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(number), timeout=LONG)
        for width, height in PROJECTORS:
            page.set_viewport_size({"width": width, "height": height})
            see_picture(page, number, height)
            for choice in page.locator("[class*=st-key-lesson-choice] button").all():
                expect(choice).to_be_in_viewport(ratio=0.9)  # the card may go on below its choices
            assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == 0
            expect(page.locator(".st-key-page-head")).to_be_hidden()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.keyboard.press("ArrowRight")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_what_is_folded_away_comes_back(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson=il_elle&scene=4&present=1")
    toolbar = page.locator(".explorer .toolbar")
    expect(page.locator(".tokens li").first).to_be_visible(timeout=LONG)
    expect(toolbar).to_be_hidden()
    last = page.locator(".explorer .keys li").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= HEIGHT
    tools = page.get_by_role("button", name="Show what is folded away on stage")
    tools.click()
    expect(toolbar).to_be_visible()
    tools.click()
    expect(toolbar).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 900})
