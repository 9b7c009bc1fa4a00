"""What moves in the explorer: lines into other lines, layers played, and steps back and forward."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer, ink, settle, write_explorer
from browser.waiting import rest
from model import Translator
from tests.browser.clock import hold_clock, tick
from tests.fixtures.explorer_recordings import recording
from tests.sentences import DECIDING, FIRST_SENTENCE

ONE_HEAD = "kind=cross&layer=2&heads=8&view=lines"

# Every frame of the second after a key, in the test's own time: whether it moves, and its ink.
WATCH = """(key) => {
  const root = document.querySelector('.explorer');
  const frames = new Map();
  let [now, count] = [performance.now(), 0];
  performance.now = () => now;
  window.requestAnimationFrame = (act) => frames.set(++count, act) && count;
  window.cancelAnimationFrame = (frame) => frames.delete(frame);
  const ink = () => {
    const shown = [...document.querySelectorAll('.lines canvas')]
      .find((one) => getComputedStyle(one).visibility === 'visible');
    const {data} = shown.getContext('2d').getImageData(0, 0, shown.width, shown.height);
    let sum = 0;
    for (let at = 3; at < data.length; at += 4) sum += data[at];
    return sum;
  };
  const seen = [{moving: '', ink: ink()}];
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  for (const ends = now + 1000; now < ends; now += 16) {
    const due = [...frames.values()];
    frames.clear();
    for (const act of due) act(now);
    seen.push({moving: root.dataset.moving, ink: ink()});
  }
  return seen;
}"""


@pytest.mark.parametrize("calm", [False, True])
def test_lines_go_over_into_those_of_another_layer(page: Page, tmp_path: Path, calm: bool) -> None:
    page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
    page.goto(write_explorer(tmp_path, recording(), ONE_HEAD))
    explorer(page)
    seen = page.evaluate(WATCH, "ArrowDown")
    inks = list(dict.fromkeys(one["ink"] for one in seen))
    assert ("yes" in [one["moving"] for one in seen]) == (not calm)
    assert len(inks) == 2 if calm else len(inks) >= 4
    assert seen[-1]["moving"] == ""
    assert seen[1]["ink"] != seen[0]["ink"]  # in the first frame


def test_the_layers_play_from_first_to_last_and_stop_when_somebody_chooses(
    page: Page, tmp_path: Path
) -> None:
    hold_clock(page, 1000)
    page.goto(write_explorer(tmp_path, recording(), ONE_HEAD))
    root = explorer(page)
    play = page.get_by_role("button", name="Play the layers")
    play.click()
    for layer in range(1, 7):
        expect(root).to_have_attribute("data-layer", str(layer))
        expect(root).to_have_attribute("data-heads", "8")
        expect(root).to_have_attribute("data-playing", "yes")
        tick(page)
    expect(root).to_have_attribute("data-playing", "")
    expect(page).to_have_url(re.compile("layer=6"))
    play.click()
    tick(page)
    expect(root).to_have_attribute("data-layer", "2")
    page.get_by_label("Head 3").click()
    expect(root).to_have_attribute("data-playing", "")
    expect(root).to_have_attribute("data-layer", "2")


def test_back_and_forward_walk_through_what_was_chosen(page: Page, app: str) -> None:
    page.goto(f"{app}/attention")
    root = explorer(page)
    rest(page)
    expect(root).to_have_attribute("data-layer", "6")
    steps = [("ArrowUp", "layer", "5"), ("g", "view", "grid"), ("m", "view", "matrix")]
    for key, name, value in steps:
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"{name}={value}"))
        expect(root).to_have_attribute(f"data-{name}", value)
        page.wait_for_timeout(600)  # until the server has said it too
        rest(page)
    page.go_back()
    expect(root).to_have_attribute("data-view", "grid")
    page.go_back()
    expect(root).to_have_attribute("data-view", "lines")
    expect(root).to_have_attribute("data-layer", "5")
    page.go_back()
    expect(root).to_have_attribute("data-layer", "6")
    expect(root).to_have_attribute("data-locks", "")
    for _key, name, value in steps:
        page.go_forward()
        expect(root).to_have_attribute(f"data-{name}", value)


def test_a_head_that_is_off_is_not_said_to_give_anything(page: Page, app: str) -> None:
    page.goto(f"{app}/attention?edits=zero.e.6.4")
    explorer(page)
    said = page.locator(".picture .said")
    off = rf"{DECIDING} is switched off: its weight from it on \w+, \d\.\d\d, reaches nothing\."
    expect(said).to_have_text(re.compile(off))
    page.keyboard.press("ArrowUp")  # the layer before, whose head is not off
    expect(said).not_to_contain_text("switched off")


def test_it_opens_in_words_and_says_what_the_head_does(
    page: Page, app: str, translator: Translator
) -> None:
    page.goto(f"{app}/attention")
    explorer(page)
    found = translator.record(FIRST_SENTENCE)
    row, animal = (found.source_tokens.index(piece) for piece in ("▁it", "▁animal"))
    weight = found.attention("encoder")[5, 3, row, animal]
    said = page.locator(".picture .said")
    expect(said).to_have_text(f"From it, {DECIDING} gives animal {weight:.2f}.")
    expect(page.locator(".queries li[aria-selected='true']")).to_have_count(0)
    expect(page.locator(".keys .token")).to_contain_text(["The", "animal", "didn't", "cross"])
    assert ink(page) > 0.0005
    page.locator(".queries li", has_text="animal").hover()
    settle(page)
    expect(said).to_contain_text("From animal, ")
    page.get_by_role("button", name="Pieces", exact=True).click()
    expect(page.locator(".queries .token", has_text="·it")).to_be_visible()
    expect(page).to_have_url(re.compile("heads=4"))
    page.reload()
    explorer(page)
    expect(page.get_by_role("button", name="Pieces", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_masked_words_are_marked_and_rows_named_by_the_french_that_is_shown(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/attention?kind=cross&edits=hide.2-2_lift.d")
    explorer(page)
    expect(page.locator(".keys li.masked")).to_have_attribute("aria-label", "animal (masked)")
    french = page.locator(".bar-said").last.inner_text().replace(" ", "")
    written = page.locator(".queries li").evaluate_all(
        "all => all.map(one => one.ariaLabel.replace('writing ', ''))"
    )
    assert "".join(written[:-1]) == french
    assert written[-1] == "</s>"


def test_on_a_phone_words_and_weights_stay_in_the_picture(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{app}/attention?lock=q12")
    explorer(page)
    frame = page.locator(".frame").bounding_box()
    assert frame is not None
    weight = page.locator(".keys .value", has_text="1.00")
    expect(weight).to_have_count(1)
    for part in (weight, page.locator(".queries .text", has_text="because")):
        box = part.bounding_box()
        assert box is not None
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert part.evaluate("node => node.scrollWidth <= node.clientWidth + 1")


def test_on_a_phone_a_long_word_in_bold_keeps_its_letters(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    sentence = "The government discussed the agreement."
    page.goto(f"{app}/attention?sentence={sentence}&kind=encoder&layer=6&head=4&word=2")
    explorer(page)
    word = page.locator(".queries .token", has_text="government")
    expect(word).to_have_css("font-weight", "700")
    for part in (word, word.locator(".text")):
        assert part.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
