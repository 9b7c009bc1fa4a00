"""On stage: every scene of a lesson has its picture in view, and letters can be read from afar."""

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import limited
from tests.browser.letters import small_letters, watch_letters
from viz.course.pages import COURSE, FIRST
from viz.shell.lessons.shelf import read_shelf

LONG = 60_000
WIDTH, HEIGHT, BAR = 1280, 720, 64
PROJECTORS = ((WIDTH, HEIGHT), (1920, 1080))
SCREENS = {"en": PROJECTORS, "zh": PROJECTORS[:1]}
"""The screens on which a language is tried: the larger one shows the same at 1.5 times the size."""

CUT = """() => [...document.querySelectorAll(".bar-said:not(.long)")]
  .filter((text) => text.checkVisibility() && text.scrollHeight > text.clientHeight + 2)
  .map((text) => text.innerText)"""
"""The sentences of the top bar, but the long ones, whose end is cut off."""

LESSONS = {lesson.name: lesson for lesson in read_shelf("en").lessons}

VISIBLE = """([height, bar]) => {
  const chrome = ".st-key-top-bar, .st-key-lesson, .st-key-edits-row";
  const shapes = ".stBidiComponent, .js-plotly-plot, .stHtml, .st-key-two-words";
  // A row of pieces, drawn as text, is a picture too: it is what the page is about.
  const boxes = [...document.querySelectorAll(shapes)].filter((part) => !part.closest(chrome))
    .map((part) => [part.getBoundingClientRect(), part.matches(".stHtml") ? 24 : 80])
    .filter(([box, least]) => box.width > 150 && box.height > least).map(([box]) => box);
  const seen = (box) => Math.min(box.bottom, height) - Math.max(box.top, bar);
  return boxes.some((box) => seen(box) >= Math.min(0.9 * box.height, (height - bar) / 2));
}"""
"""Whether a picture is in view, whole, or as half of the screen where it is larger than that."""


CHOICES = """(share) => new Promise((done) => {
  const shown = ({ top, bottom }) => Math.min(bottom, innerHeight) - Math.max(top, 0);
  const look = () => {
    const all = [...document.querySelectorAll("[class*=st-key-lesson-choice] button")];
    const boxes = all.map((one) => one.getBoundingClientRect());
    if (boxes.every((box) => shown(box) >= share * box.height)) done();
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Wait until a share of every choice is in view; those of the scene before stay a moment."""


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
    watch_letters(page)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson={lesson}&scene=1&present=1&lang={language}")
    screens = list(SCREENS[language])
    for number in range(1, len(LESSONS[lesson].scenes) + 1):
        expect(page.locator("nav.bar")).to_have_attribute("data-scene", str(number), timeout=LONG)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            see_picture(page, number, height)
            page.evaluate(limited(CHOICES, f"the choices of scene {number}"), 0.9)
            assert page.evaluate("() => document.querySelector('.stMain').scrollTop") == 0
            expect(page.locator(".st-key-page-head")).to_be_hidden()
            assert not small_letters(page), f"scene {number}"
            assert page.evaluate(CUT) == [], f"scene {number}"
        screens.reverse()  # the next scene begins on the screen that is there
        page.keyboard.press("ArrowRight")
    page.set_viewport_size({"width": 1280, "height": 900})


VISITS = {
    f"{entry.link}?{visit.view}" if visit.view else entry.link: visit
    for entry in COURSE
    for visit in entry.visits
}
PICTURES = {link: visit.picture for link, visit in VISITS.items()}
"""The main picture of each page, and of some views, by its link."""

MOST, ENOUGH = 0.6, 300
"""So much of the height of a picture is in view, or so many pixels of it."""

IN_VIEW = """(picture) => {
  const { top, bottom, height } = picture.getBoundingClientRect();
  return [Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 64)), height];
}"""
"""The pixels of a picture that are in view below the top bar, and its height."""


def part_in_view(page: Page, address: str, picture: str) -> tuple[float, float]:
    """Open an address on stage; return how much of a picture is in view, and its height."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{address}{'&' if '?' in address else '?'}present=1")
    found = page.locator(picture).first
    expect(found).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )
    page.wait_for_timeout(500)  # a figure is drawn late
    seen, height = found.evaluate(IN_VIEW)
    return seen, height


@pytest.mark.parametrize("link", PICTURES)
def test_a_class_sees_the_main_picture_of_a_page_and_can_read_its_letters(
    page: Page, app: str, link: str
) -> None:
    watch_letters(page)
    seen, height = part_in_view(page, f"{app}/{address(link)}", PICTURES[link])
    assert seen >= min(MOST * height, ENOUGH), f"{seen:.0f} of {height:.0f} pixels are in view"
    assert height >= 100, "no picture"
    expect(page.locator(".st-key-top-bar .tools")).to_be_visible()
    assert not small_letters(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def address(link: str) -> str:
    """Return what leads to a page: the first one has no name."""
    return "" if link == FIRST else link


def test_odds_pieces_and_the_mask_of_a_step_are_in_view_at_once(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/decoder?present=1")
    bars = page.locator(".decoder .bars .bar").filter(visible=True)
    expect(bars).to_have_count(4, timeout=LONG)  # three pieces, and all others
    shares = [one.get_attribute("data-probability") for one in bars.all()]
    assert sum(float(share or 0) for share in shares) == pytest.approx(1, abs=1e-6)
    chosen = bars.locator("..").locator(".chosen")
    size = chosen.locator(".number").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert 1.25 * size >= 28
    box = chosen.locator(".track").bounding_box()
    assert box
    assert box["width"] >= 120
    for part in (".found", ".source", ".target", ".mask-legend"):
        expect(page.locator(f".decoder {part}")).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".decoder .target .mask").last).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_other_pieces_of_a_link_come_when_they_are_pointed_at(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/why?present=1")
    chips = page.locator(".st-key-token-row-key .chip")
    expect(chips.filter(visible=True)).to_have_count(1, timeout=LONG)
    page.locator(".st-key-token-row-key .row").hover()
    expect(chips.first).to_be_visible()
    chips.first.click()
    page.mouse.move(2, 700)
    expect(chips.filter(visible=True)).to_have_count(1)
    expect(chips.first).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page.locator(".ribbons .sums")).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_all_models_before_transformers_are_in_view(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/recurrent?models=all&present=1")
    models = page.locator(".listed .model")
    expect(models.filter(has_text="Transformer")).to_be_in_viewport(ratio=0.99, timeout=LONG)
    expect(models.first).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".listed table").filter(visible=True)).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_of_a_head_being_born_is_in_view(page: Page, app: str, language: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/learning?present=1&lang={language}")
    timeline = page.locator(".timeline")
    expect(timeline).to_have_attribute("data-ready", "true", timeout=LONG)
    expect(page.locator(".st-key-page-top h2")).to_be_in_viewport(ratio=0.99)
    for part in ("canvas.head", "canvas.curve", ".lines"):
        expect(timeline.locator(part)).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size({"width": 1280, "height": 900})


WHOLE = {
    "by_hand": ".st-key-two-words",
    "why": ".st-key-ribbons",
    "block": ".addnorm",
    "recurrent": ".contrast",
    "layers": "svg.blocks",
}
"""The pictures that are told as one: all of each is in view."""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("link", WHOLE)
def test_a_picture_is_in_view_from_its_first_row_to_its_last(
    page: Page, app: str, link: str, language: str
) -> None:
    seen, height = part_in_view(page, f"{app}/{link}?lang={language}", WHOLE[link])
    assert seen == height
    assert height >= HEIGHT / 2
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("mode", ["0", "1"])
def test_the_toolbar_of_the_explorer_is_one_line(
    page: Page, app: str, language: str, mode: str
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/attention?lang={language}&present={mode}")
    toolbar = page.locator(".explorer .toolbar")
    save = toolbar.locator(".share .opener")
    expect(save).to_be_visible(timeout=LONG)
    assert toolbar.evaluate("(bar) => bar.offsetHeight") <= 48
    expect(save).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_choice_of_a_head_and_most_of_its_links_are_in_view(page: Page, app: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/lab_masks?present=1")
    board = page.locator(".st-key-mask-board canvas")
    expect(board).to_be_visible(timeout=LONG)
    expect(page.locator(".head-picker .picker > .head-board")).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(500)  # the pictures above take their places
    shown = """(canvas) => {
      const { top, cell } = canvas.dataset;
      const begin = canvas.getBoundingClientRect().top + canvas.currentCSSZoom * top;
      return (window.innerHeight - begin) / (canvas.currentCSSZoom * cell);
    }"""
    assert board.evaluate(shown) > 16.5  # of 17 queries
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize(
    ("lesson", "scene", "column"), [("masks", 4, 24), ("masks", 8, 15), ("il_elle", 7, 15)]
)
def test_what_a_mask_hides_is_in_view_beside_a_lesson(
    page: Page, app: str, lesson: str, scene: int, column: int
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/?lesson={lesson}&scene={scene}&present=1")
    page.locator("[class*=st-key-lesson-choice] button").first.click(timeout=LONG)
    board = page.locator(".st-key-mask-board .scroll")
    expect(board).to_be_visible(timeout=LONG)
    page.wait_for_timeout(1000)  # it scrolls once it has its size
    shown = """(scroll) => {
      const { left, wide } = scroll.querySelector("canvas").dataset;
      return Math.floor((scroll.scrollLeft + scroll.clientWidth - left) / wide);
    }"""
    assert board.evaluate(shown) >= column
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_board_of_the_decoder_begins_at_its_first_key_on_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/lab_masks?kind=decoder&layer=1&head=1")
    board = page.locator(".st-key-mask-board .scroll")
    expect(board.locator("canvas")).to_be_visible(timeout=LONG)
    page.wait_for_timeout(1000)
    wide, whole, at = board.evaluate("(one) => [one.clientWidth, one.scrollWidth, one.scrollLeft]")
    assert whole > wide
    assert at == 0
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("mode", ["0", "1"])
@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("two_models", ".alignments table"),
        ("recurrent?models=all", ".alignments.listed > *"),
        ("lab_heads", ".boards .board"),
        ("atlas", ".boards .board"),
    ],
)
def test_pictures_side_by_side_use_the_width_of_a_large_screen(
    page: Page, app: str, link: str, parts: str, mode: str
) -> None:
    width, height = PROJECTORS[1]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app}/{link}{'&' if '?' in link else '?'}present={mode}")
    expect(page.locator(parts).nth(1)).to_be_visible(timeout=LONG)
    end = "(parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right))"
    for _try in range(50):  # boards take their width a moment after they are drawn
        found = page.locator(parts).evaluate_all(end)
        if 0.94 * width < found <= width:
            break
        page.wait_for_timeout(100)
    assert 0.94 * width < found <= width
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("link", ["lab_heads", "lab_scale", "head"])
def test_a_change_is_named_whole_beside_the_title(page: Page, app: str, link: str) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/{link}?edits=zero.e.6.4&present=1")
    row = page.locator(".st-key-edits-row")
    change, reset = (row.get_by_role("button", name=name) for name in ("encoder 6.4", "Reset all"))
    expect(change).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )
    named, end = change.bounding_box(), reset.bounding_box()
    assert named is not None
    assert end is not None
    assert named["x"] + named["width"] <= end["x"]
    assert end["x"] + end["width"] <= WIDTH
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_letters_of_a_figure_follow_the_mode(page: Page, app: str) -> None:
    page.goto(f"{app}/positions?positions=table")
    label = page.locator(".js-plotly-plot .xtick text").first
    expect(label).to_have_css("font-size", "14px", timeout=LONG)
    expect(page.locator(".tools [aria-pressed]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("p")
    expect(label).to_have_css("font-size", "20px")
    page.keyboard.press("p")
    expect(label).to_have_css("font-size", "14px")


def test_the_mean_of_two_models_heads_can_be_pressed_on_the_folded_board(
    page: Page, app: str
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{app}/two_models?present=1")
    picker = page.locator(".head-picker")
    picker.locator(".opener").click(timeout=LONG)
    picker.get_by_role("button", name="mean of all heads").click()
    expect(picker).to_have_attribute("data-chosen", "mean of all heads")
    see_picture(page, 0, HEIGHT)
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
