"""On stage every scene of a lesson has its picture in view, and letters can be read from afar."""

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import LONG, rest
from tests.browser.letters import small_letters, watch_letters
from tests.browser.visits import HEIGHT, WIDTH, toolbar_is_one_line
from tests.nightly import nightly
from viz.shell.lessons.shelf import read_shelf

BAR = 64
"""The pixels of the top bar."""

CUT = """() => [...document.querySelectorAll(".bar-said:not(.long)")]
  .filter((text) => text.checkVisibility() && text.scrollHeight > text.clientHeight + 2)
  .map((text) => text.innerText.trim()).filter((text) => text)"""
"""The sentences of the top bar, but the long and the empty ones, whose end is cut off."""

WHOLE = f"() => ({CUT})().length === 0 && document.querySelector('.stMain').scrollTop === 0"
"""Whether nothing of the top bar is cut off, and the page begins at its top."""

LESSONS = {lesson.name: lesson for lesson in read_shelf("en").lessons}

VISIBLE = """([height, bar]) => {
  const chrome = ".st-key-top-bar, .st-key-lesson, [class*='st-key-edits-row']";
  const shapes = ".stBidiComponent, .js-plotly-plot, .stHtml, .st-key-two-words, .stMetric";
  // A row of pieces or of large numbers is a picture too: it is what the page is about.
  const boxes = [...document.querySelectorAll(shapes)].filter((part) => !part.closest(chrome))
    .map((part) => [part.getBoundingClientRect(), part.matches(".stHtml") ? 24 : 80])
    .filter(([box, least]) => box.width > 150 && box.height > least).map(([box]) => box);
  const seen = (box) => Math.min(box.bottom, height) - Math.max(box.top, bar);
  return boxes.some((box) => seen(box) >= Math.min(0.9 * box.height, (height - bar) / 2));
}"""
"""Whether a picture is in view, whole, or as half of the screen where it is larger than that."""


CHOICES = """() => [...document.querySelectorAll("[class*=st-key-lesson-choice] button")]
  .map((one) => one.getBoundingClientRect())
  .every(({ top, bottom }) => Math.min(bottom, innerHeight) - Math.max(top, 0)
    >= 0.9 * (bottom - top))"""
"""Whether every choice is in view; those of the scene before stay a moment."""


@pytest.mark.parametrize(
    ("lesson", "language"),
    [
        ("il_elle", "zh"),
        *nightly(*((name, "en") for name in LESSONS)),
    ],
)
def test_every_scene_has_its_picture_in_view(
    page: Page, app: str, lesson: str, language: str
) -> None:
    """What the scenes of all lessons say is looked at without a browser, in both languages.

    Letters are looked at when a page comes the first time: scenes of one page have the same ones.
    """
    watch_letters(page)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson={lesson}&scene=1&present=1&lang={language}")
    read: set[str] = set()
    for number, scene in enumerate(LESSONS[lesson].scenes, 1):
        expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(number), timeout=LONG)
        page.wait_for_function(VISIBLE, arg=[HEIGHT, BAR], timeout=LONG)
        page.wait_for_function(CHOICES, timeout=LONG)
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=LONG
        )
        expect(page.locator(".st-key-page-head")).to_be_hidden()
        if scene.page not in read:
            rest(page)
            assert not small_letters(page), f"scene {number}"
            read.add(scene.page)
        page.wait_for_function(WHOLE, timeout=LONG)
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("language", ["en", *nightly("zh")])
def test_all_of_the_explorer_is_in_view_and_a_question_covers_its_weights(
    page: Page, app: str, language: str
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson=start&scene=1&present=1&lang={language}")
    the_answer_comes_into_view(page)
    for scene, view in ((2, "lines"), (6, "grid"), (7, "matrix")):
        if scene == 6:
            page.goto(f"{app}/?lesson=start&scene=6&present=1&lang={language}")
        else:
            page.keyboard.press("ArrowRight")
        expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(scene), timeout=LONG)
        drawn = page.locator(f".explorer .{view} canvas").last
        words = page.locator(".explorer .keys li")
        expect(drawn).to_be_attached(timeout=LONG)
        rest(page)
        if scene == 2:
            expect(words.last).to_be_in_viewport(ratio=1)
            expect(drawn).to_be_hidden()
            expect(page.locator(".explorer .said")).to_be_hidden()
            page.locator("[class*=st-key-lesson-choice] button").first.click()
        expect(drawn).to_be_visible()
        expect(page.locator(".explorer .said")).to_be_in_viewport(ratio=1)
        expect(page.locator(".explorer .picture")).to_be_in_viewport(ratio=1)


def the_answer_comes_into_view(page: Page) -> None:
    """What explains a choice stands below it, and the card is scrolled to it."""
    page.locator("[class*=st-key-lesson-choice] button").first.click(timeout=LONG)
    answer = page.locator(".st-key-lesson-answer")
    expect(answer).to_be_in_viewport(ratio=0.99, timeout=LONG)
    assert page.locator(".st-key-lesson").evaluate("(card) => card.scrollTop") > 0


def test_in_chinese_the_toolbar_of_the_explorer_is_one_line(page: Page, app: str) -> None:
    """In English the visit to its page looks at it on stage."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/attention?lang=zh")
    expect(page.locator(".explorer .toolbar")).to_be_visible(timeout=LONG)
    rest(page)
    toolbar_is_one_line(page)


@pytest.mark.parametrize(
    ("lesson", "scene", "column"),
    [
        ("masks", 8, 15),
        *nightly(("masks", 4, 24), ("il_elle", 7, 15)),
    ],
)
def test_what_a_mask_hides_is_in_view_beside_a_lesson(
    page: Page, app: str, lesson: str, scene: int, column: int
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson={lesson}&scene={scene}&present=1")
    page.locator("[class*=st-key-lesson-choice] button").first.click(timeout=LONG)
    board = page.locator(".st-key-mask-board .scroll")
    expect(board).to_be_visible(timeout=LONG)
    rest(page)  # the page drawn anew may bring another board
    shown = """([scroll, column]) => {
      const { left, wide } = scroll.querySelector("canvas").dataset;
      return Math.floor((scroll.scrollLeft + scroll.clientWidth - left) / wide) >= column;
    }"""
    # It scrolls once it has its size.
    page.wait_for_function(shown, arg=[board.element_handle(), column], timeout=LONG)


def test_a_board_of_the_decoder_begins_at_its_first_key_on_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/lab_masks?kind=decoder&layer=1&head=1")
    board = page.locator(".st-key-mask-board .scroll")
    expect(board.locator("canvas")).to_be_visible(timeout=LONG)
    rest(page)
    wide, whole, at = board.evaluate("(one) => [one.clientWidth, one.scrollWidth, one.scrollLeft]")
    assert whole > wide
    assert at == 0


@pytest.mark.parametrize("link", ["lab_heads", *nightly("head")])
def test_a_change_is_named_whole_beside_the_title(page: Page, app: str, link: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/{link}?edits=zero.e.6.4&present=1")
    row = page.locator("[class*='st-key-edits-row']")
    change, reset = (row.get_by_role("button", name=name) for name in ("encoder 6.4", "Reset all"))
    expect(change).to_be_visible(timeout=LONG)
    rest(page)
    named, end = change.bounding_box(), reset.bounding_box()
    assert named is not None
    assert end is not None
    assert named["x"] + named["width"] <= end["x"]
    assert end["x"] + end["width"] <= WIDTH


def test_the_letters_of_a_figure_follow_the_mode(page: Page, app: str) -> None:
    page.goto(f"{app}/positions?positions=table")
    label = page.locator(".js-plotly-plot .xtick text").first
    expect(label).to_have_css("font-size", "14px", timeout=LONG)
    expect(page.locator(".tools [aria-pressed]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("p")
    expect(label).to_have_css("font-size", "20px")
    page.keyboard.press("p")
    expect(label).to_have_css("font-size", "14px")


def test_what_is_folded_away_comes_back(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson=il_elle&scene=4&present=1")
    toolbar = page.locator(".explorer .toolbar")
    expect(page.locator(".tokens li").first).to_be_visible(timeout=LONG)
    expect(toolbar).to_be_hidden()
    rest(page)
    last = page.locator(".explorer .keys li").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= HEIGHT
    tools = page.get_by_role("button", name="Show what is folded away on stage")
    tools.click()
    expect(toolbar).to_be_visible()
    tools.click()
    expect(toolbar).to_be_hidden()
