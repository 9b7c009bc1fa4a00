"""Lessons in a browser: from end to end by keyboard, with an answer; links; and a broken file."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.server import running_app
from model import load_translator
from tests.browser.conftest import Scheme
from viz.shell.lessons.shelf import VARIABLE, read_shelf

LONG = 60_000
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


def test_a_lesson_goes_from_end_to_end_by_keyboard(page: Page, app: str, shots: Path) -> None:
    page.goto(app)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.locator(".lessons a", has_text=LESSON.title).press("Enter")
    at_scene(page, 1)
    page.get_by_role("button", name="elle, for the street").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("il has a probability of")).to_be_visible(timeout=LONG)
    page.screenshot(path=shots / "lesson-answer.png")
    for number in range(2, len(LESSON.scenes) + 1):
        page.keyboard.press("ArrowRight")
        at_scene(page, number)
        page.screenshot(path=shots / f"lesson-{number}.png")
    page.keyboard.press("ArrowRight")  # there is no further scene
    page.keyboard.press("ArrowLeft")
    at_scene(page, len(LESSON.scenes) - 1)
    page.keyboard.press("Escape")
    expect(page.locator("nav.bar")).to_have_count(0, timeout=LONG)
    expect(page).to_have_url(re.compile(r"/lab_heads\?.*edits=zero"))
    expect(page).not_to_have_url(re.compile("lesson="))


ACTIVE = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.textContent?.trim() ?? "";
}"""
UNTOLD = """() => {
  const found = [];
  const told = (picture) => {
    const figure = picture.closest(".stPlotlyChart")?.closest("[data-testid=stElementContainer]");
    if (figure) return figure.previousElementSibling?.querySelector(".figure-said") != null;
    if (picture.closest(".stDataFrame")) return true; // its canvas holds a table
    for (let at = picture; at; at = at.parentElement ?? at.getRootNode().host) {
      if (at.ariaHidden === "true" || at.ariaLabel || at.hasAttribute("alt")) return true;
    }
    return false;
  };
  const walk = (root) => root.querySelectorAll("*").forEach((one) => {
    if (one.shadowRoot) walk(one.shadowRoot);
    const box = one.getBoundingClientRect();
    const large = one.matches("canvas, img, svg:not(svg svg)") && box.width > 40 && box.height > 20;
    const shown = large && one.checkVisibility({ visibilityProperty: true });
    if (shown && !told(one)) found.push(one.outerHTML);
  });
  walk(document.querySelector(".stMain"));
  return found.map((text) => text.slice(0, 120));
}"""
"""Pictures in view or below it that have no words for who does not see them."""

TOLD = {
    1: "animal",
    3: "Bars, il (probability)",
    4: 'option "it" [selected]',
    5: "street 1.00",
    6: "it 1.00",
    7: "“wide” masked out",
    8: "2 links",
    9: "encoder 6.4: off",
    10: "13.1 M",
}
"""What a screen reader finds in scenes of the lesson, beside the card."""


def tab_to(page: Page, text: str) -> None:
    """Go on with Tab until what has the focus says a text."""
    for _press in range(150):
        if page.evaluate(ACTIVE) == text:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {text!r}")


def test_the_first_lesson_is_done_by_keyboard_and_by_its_text_alone(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=1")
    for number, scene in enumerate(LESSON.scenes, 1):
        at_scene(page, number)
        if scene.question:
            tab_to(page, scene.question.choices[0].text)
            page.keyboard.press("Enter")
            expect(page.get_by_text("Choose first")).to_have_count(0, timeout=LONG)
        if said := TOLD.get(number):
            found = page.locator(".stMain").aria_snapshot()
            assert said in found, f"scene {number}: {found}"
        assert page.evaluate(UNTOLD) == [], f"scene {number}"
        page.keyboard.press("ArrowRight")


def test_each_scene_shows_its_own_state_whatever_was_shown_before(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=3")
    at_scene(page, 3)
    page.keyboard.press("ArrowRight")
    at_scene(page, 4)
    explorer = page.locator(".explorer")
    for name, value in {"kind": "encoder", "layer": "6", "heads": "4", "locks": PRONOUN}.items():
        expect(explorer).to_have_attribute(f"data-{name}", value)
    expect(page.locator(".tokens li", has_text="didn't").first).to_be_visible()  # in words
    page.keyboard.press("ArrowRight")
    at_scene(page, 5)
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


WRITTEN = "L'animal n'a pas traversé la rue"


@pytest.mark.parametrize(
    ("scene", "covered"),
    [
        ("il_elle&scene=1", ".st-key-bar-target .bar-said"),
        ("silence&scene=2", ".st-key-before-after .outcome, .st-key-likelihoods .js-plotly-plot"),
        ("eight_scenes&scene=4", ".chain"),
        ("claims&scene=7", ".explorer"),
    ],
)
def test_what_tells_the_answer_is_covered_until_something_is_chosen(
    page: Page, app: str, shots: Path, scene: str, covered: str
) -> None:
    page.goto(f"{app}/?lesson={scene}")
    choices = page.locator("[class*=st-key-lesson-choice] button")
    expect(choices.first).to_be_visible(timeout=LONG)
    expect(page.locator(covered).first).to_be_attached(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )
    parts = page.locator(covered)
    assert parts.count() > 0
    for part in parts.all():
        expect(part).to_be_hidden()
    assert WRITTEN not in page.locator("body").aria_snapshot()
    assert WRITTEN not in page.locator("body").inner_text()
    page.screenshot(path=shots / f"covered-{scene}.png")
    room = parts.first.bounding_box()
    choices.first.click()
    for part in parts.all():
        expect(part).to_be_visible()
    expect(page.locator(".st-key-bar-target")).to_contain_text(WRITTEN)
    assert parts.first.bounding_box() == room
    page.screenshot(path=shots / f"shown-{scene}.png")


def test_a_field_keeps_its_arrow_keys(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle")
    at_scene(page, 1)
    page.get_by_label("Sentence to translate").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    at_scene(page, 1)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1024, "dark"), (390, "light")])
def test_the_card_leaves_room_for_the_page(
    page: Page, app: str, shots: Path, width: int, scheme: Scheme
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{app}/?lesson=il_elle&scene=4")
    at_scene(page, 4)
    card = page.locator(".st-key-lesson").bounding_box()
    title = page.get_by_role("heading", name="Attention").bounding_box()
    assert card is not None
    assert title is not None
    assert title["y"] + title["height"] < card["y"] or title["x"] + title["width"] < card["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=shots / f"lesson-{width}-{scheme}.png")


@pytest.fixture
def teachers_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path]]:
    """An app with a teacher's own folder of lessons, one of them broken; and its log."""
    folder, log = tmp_path / "lessons", tmp_path / "log.txt"
    folder.mkdir()
    text = "# Mine\n\nOne scene.\n\n## One\n\nLink: /attention?sentence=Hello.\n\nIt says {{it}}.\n"
    (folder / "broken.en.md").write_text(text, encoding="utf-8")
    (folder / "mine.en.md").write_text(text.replace("{{it}}", "{{translation}}"), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(folder))
    with running_app(log) as address:
        yield address, log


def test_a_broken_lesson_is_reported_and_the_others_are_there(
    page: Page, teachers_app: tuple[str, Path]
) -> None:
    address, log = teachers_app
    page.goto(address)
    reported = "broken.en.md:9: no measure is called 'it'"
    expect(page.get_by_text(reported)).to_be_visible(timeout=LONG)
    assert reported in log.read_text(encoding="utf-8")
    page.locator(".lessons a", has_text="Mine").click()
    text = load_translator("en-fr").translate("Hello.").text
    expect(page.get_by_text(f"It says {text}")).to_be_visible(timeout=LONG)
    page.goto(f"{address}/attention?lesson=broken")
    expect(page.get_by_text("This lesson cannot be shown")).to_be_visible(timeout=LONG)


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


def test_a_pointer_that_rests_changes_nothing_of_what_a_scene_says(page: Page, app: str) -> None:
    page.goto(f"{app}/?lesson=il_elle&scene=4")
    at_scene(page, 4)
    said, explorer = page.locator(".said-row").first, page.locator(".explorer")
    page.locator(".queries li", has_text="street").first.hover()
    expect(said).to_contain_text("when it looks from street")
    page.keyboard.press("ArrowRight")
    at_scene(page, 5)
    expect(explorer).to_have_attribute("data-hovered", "null")
    expect(said).to_contain_text("when it looks from it")
