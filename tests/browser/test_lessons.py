"""Lessons in a browser: from end to end by keyboard, with an answer, and by links."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import LONG, rest
from tests.nightly import nightly
from viz.shell.lessons.shelf import read_shelf

PRONOUN = "q12"  # the row of "it"
LESSON = next(lesson for lesson in read_shelf("en").lessons if lesson.name == "il_elle")


def at_scene(page: Page, number: int) -> None:
    """Wait until a scene is there: its card, its page, and nothing running."""
    expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(number), timeout=LONG)
    scene = LESSON.scenes[number - 1]
    expect(page).to_have_url(re.compile(rf"/{scene.page}\?.*scene={number}"), timeout=LONG)
    expect(page.get_by_role("heading", name=scene.title)).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )


def test_a_lesson_goes_from_end_to_end_by_keyboard(page: Page, app: str) -> None:
    page.goto(app)
    rest(page)
    page.locator(".lessons a", has_text=LESSON.title).press("Enter")
    at_scene(page, 1)
    a_field_keeps_its_arrow_keys(page)
    the_answer_given_is_there_until_the_next_class(page)
    last = len(LESSON.scenes)  # those between are walked through on stage
    page.goto(f"{app}/?lesson=il_elle&scene={last - 1}")
    at_scene(page, last - 1)
    page.keyboard.press("ArrowRight")
    at_scene(page, last)
    page.keyboard.press("ArrowRight")  # there is no further scene
    page.keyboard.press("ArrowLeft")
    at_scene(page, last - 1)
    page.keyboard.press("Escape")
    expect(page.locator("nav.bar")).to_have_count(0, timeout=LONG)
    expect(page).to_have_url(re.compile(r"/trace\?.*traced=Set"))
    expect(page).not_to_have_url(re.compile("lesson="))


def a_field_keeps_its_arrow_keys(page: Page) -> None:
    page.get_by_label("Sentence to translate").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    at_scene(page, 1)


def the_answer_given_is_there_until_the_next_class(page: Page) -> None:
    card, ask = page.locator(".st-key-lesson"), page.get_by_text("Choose first: until then")
    page.get_by_role("button", name="elle, for the street").focus()
    page.keyboard.press("Enter")
    expect(card).to_contain_text("The answer is: il", timeout=LONG)
    expect(page.get_by_text("il has a probability of")).to_be_visible(timeout=LONG)
    page.keyboard.press("ArrowRight")
    at_scene(page, 2)
    expect(ask).to_be_visible()
    page.keyboard.press("ArrowLeft")
    at_scene(page, 1)
    expect(card).to_contain_text("The answer is: il")
    page.reload()
    at_scene(page, 1)
    expect(ask).to_be_visible()


def test_each_scene_shows_its_own_state_whatever_was_shown_before(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=3")
    at_scene(page, 3)
    page.keyboard.press("ArrowRight")
    at_scene(page, 4)
    explorer = page.locator(".explorer")
    for name, value in {"kind": "encoder", "layer": "6", "heads": "4", "locks": PRONOUN}.items():
        expect(explorer).to_have_attribute(f"data-{name}", value)
    expect(page.locator(".tokens li", has_text="didn't").first).to_be_visible()  # in words
    the_card_leaves_room_for_the_page(page)
    said = page.locator(".said-row").first
    page.locator(".queries li", has_text="street").first.hover()
    expect(said).to_contain_text("From street, ")
    page.keyboard.press("ArrowRight")
    at_scene(page, 5)
    expect(explorer).to_have_attribute("data-hovered", "null")  # the pointer only rests
    expect(said).to_contain_text("From it, ")
    expect(page.get_by_label("Sentence to translate")).to_have_value(re.compile("wide"))
    expect(explorer).to_have_attribute("data-locks", PRONOUN)
    expect(page.locator(".bar-said").last).to_contain_text("elle")
    page.keyboard.press("ArrowRight")
    at_scene(page, 6)
    expect(page.get_by_label("Sentence to translate")).to_have_value(re.compile("tired"))
    expect(explorer).to_have_attribute("data-kind", "cross")
    expect(page.locator(".tokens li", has_text="writing animal")).to_be_visible()
    page.keyboard.press("ArrowRight")
    at_scene(page, 7)
    expect(page.get_by_role("button", name=re.compile("masked out"))).to_be_visible(timeout=LONG)
    page.go_back()
    at_scene(page, 6)
    expect(page.get_by_role("button", name=re.compile("masked out"))).to_have_count(0, timeout=LONG)
    expect(explorer).to_have_attribute("data-layer", "5")
    page.go_forward()
    at_scene(page, 7)
    expect(page.get_by_role("button", name=re.compile("masked out"))).to_be_visible(timeout=LONG)


def the_card_leaves_room_for_the_page(page: Page) -> None:
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 844})
        rest(page)
        card = page.locator(".st-key-lesson").bounding_box()
        title = page.get_by_role("heading", name="Attention").bounding_box()
        assert card is not None
        assert title is not None
        assert title["y"] + title["height"] < card["y"] or title["x"] + title["width"] < card["x"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})
    rest(page)


WRITTEN = "L'animal n'a pas traversé la rue"


@pytest.mark.parametrize(
    ("scene", "covered"),
    [
        ("silence&scene=2", ".st-key-before-after .outcome, .st-key-likelihoods .js-plotly-plot"),
        *nightly(
            ("il_elle&scene=1", ".st-key-bar-target .bar-said"),
            ("eight_scenes&scene=4", ".chain"),
            ("claims&scene=7", ".explorer"),
        ),
    ],
)
def test_what_tells_the_answer_is_covered_until_something_is_chosen(
    page: Page, app: str, scene: str, covered: str
) -> None:
    page.goto(f"{app}/?lesson={scene}")
    choices = page.locator("[class*=st-key-lesson-choice] button")
    expect(choices.first).to_be_visible(timeout=LONG)
    expect(page.locator(covered).first).to_be_attached(timeout=LONG)
    rest(page)
    parts = page.locator(covered)
    assert parts.count() > 0
    for part in parts.all():
        expect(part).to_be_hidden()
    assert WRITTEN not in page.locator("body").aria_snapshot()
    assert WRITTEN not in page.locator("body").inner_text()
    room = parts.first.bounding_box()
    choices.first.click()
    for part in parts.all():
        expect(part).to_be_visible()
    expect(page.locator(".st-key-bar-target")).to_contain_text(WRITTEN)
    rest(page)
    assert parts.first.bounding_box() == room


BOTH = """(choice) => {
  choice.click();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
}"""


def test_who_chooses_and_goes_on_at_once_finds_the_scene_whole(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=9")
    at_scene(page, 9)
    choices = page.locator("[class*=st-key-lesson-choice] button")
    choices.first.evaluate(BOTH)
    page.wait_for_timeout(1500)  # what would blank the page comes after it
    at_scene(page, 8)
    expect(page.locator(".outcome").first).to_be_attached()
    expect(page.get_by_text("Choose first: until then")).to_be_visible()
