"""The lesson about il and elle without a pointer and a screen: keys, and what is read out."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest
from model.checkpoints.card import load_card
from model.checkpoints.checkpoint import CHECKPOINTS
from tests.nightly import nightly
from viz.shell.lessons.shelf import read_shelf

LONG = 120_000
LESSON = next(lesson for lesson in read_shelf("en").lessons if lesson.name == "il_elle")

FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim();
}"""

READ = {
    4: "From it, encoder 6.4 gives animal",
    5: "From it, encoder 6.4 gives street",
    6: "gives it",
}
"""What is read out of a picture, by the number of its scene."""


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
    3: "looks most at street, weight",
    4: 'option "it" [selected]',
    5: "street",
    6: "it",
    7: "“wide” masked out",
    8: "2 links",
    9: "encoder 6.4: off",
    13: f"{load_card(CHECKPOINTS / 'en-fr').parameters / 1e6:.1f} M",
}
"""What a screen reader finds in scenes of the lesson, beside the card."""


def read(page: Page) -> str:
    """Return what a screen reader can read, without marks."""
    lines = page.locator("body").aria_snapshot().splitlines()
    return re.sub(r"\s+", " ", " ".join(re.sub(r"^\s*- (\w+:?)? ?", "", line) for line in lines))


def wait_until_read(page: Page, wanted: str) -> None:
    """Wait until a screen reader finds what matches: an answer comes a moment after a press."""
    until = time.monotonic() + LONG / 1000
    while not re.search(wanted, read(page)):
        assert time.monotonic() < until, f"{wanted!r} is not read out"
        page.wait_for_timeout(100)


def wait_until_told(page: Page, said: str) -> None:
    """Wait until a screen reader finds a text: a picture comes a moment after its page."""
    until = time.monotonic() + LONG / 1000
    while said not in page.locator(".stMain").aria_snapshot():
        assert time.monotonic() < until, f"{said!r} is not told"
        page.wait_for_timeout(100)


def walk_to(page: Page, name: str) -> None:
    """Press Tab until what has this name is in focus."""
    for _press in range(200):
        if page.evaluate(FOCUSED) == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {name!r}")


def at_scene(page: Page, number: int) -> None:
    """Wait until a scene is there and nothing runs."""
    expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(number), timeout=LONG)
    title = LESSON.scenes[number - 1].title
    expect(page.get_by_role("heading", name=title)).to_be_attached(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )


@pytest.mark.parametrize("scenes", [4, *nightly(len(LESSON.scenes))])
def test_the_lesson_is_done_by_keys_and_by_what_is_read_out(
    page: Page, app: str, scenes: int
) -> None:
    """The walk on stage goes through all scenes in each run; here all are read at night."""
    page.goto(app)
    expect(page.get_by_role("link", name=re.compile(LESSON.title)).first).to_be_attached()
    rest(page)
    walk_to(page, page.locator(".lessons a", has_text=LESSON.title).text_content() or "")
    page.keyboard.press("Enter")
    for number, scene in enumerate(LESSON.scenes[:scenes], 1):
        at_scene(page, number)
        expect(page.locator(".st-key-lesson")).to_have_attribute("aria-live", "polite")
        if scene.question:
            expect(page.get_by_text("Choose first: until then")).to_be_attached()
            walk_to(page, scene.question.choices[0].text)
            page.keyboard.press("Enter")
            expect(page.get_by_text("Choose first: until then")).to_have_count(0)
            wait_until_read(page, r"Right\.|The answer is: ")
        if number in READ:
            expect(page.locator(".said-row .said").first).to_have_text(re.compile(READ[number]))
            wait_until_read(page, READ[number])
        if said := TOLD.get(number):
            wait_until_told(page, said)
        rest(page)
        assert page.evaluate(UNTOLD) == [], f"scene {number}"
        page.keyboard.press("ArrowRight")
