"""What holds on every page: one visit looks at it on a screen, on a phone and on stage.

It loads nothing that the headers forbid, or the page itself fails the test.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import LONG, rest
from tests.browser.axe import found_by_axe
from tests.browser.decoder import open_decoder, settled, wait_for_link
from tests.browser.letters import small_letters, watch_letters
from tests.browser.visits import CHECKS, HEIGHT, VISITS, WIDTH, address
from viz.course.entry import Visit
from viz.course.pages import after
from viz.shell.navigation import title_of

PHONE, SCREEN, LARGE = (390, 844), (WIDTH, HEIGHT), (1920, 1080)

NIGHTLY = {link for link in VISITS if "?" in link} - {"attention?view=matrix", *CHECKS}
"""Views that a run of all opens without a browser: see `tests/app/test_translated_pages.py`."""

MOST_SHIFT = 0.1
"""How far a page may jump while it comes: what visitors feel as stable (web.dev/articles/cls)."""

WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }
}).observe({ type: "layout-shift", buffered: true });
window.resized = 0;
new MutationObserver((changes) => {
  for (const { oldValue: before, target } of changes)
    resized += target.matches(".main-svg") && before && before !== target.getAttribute("height");
}).observe(document, { subtree: true, attributeFilter: ["height"], attributeOldValue: true });"""
"""Adds up the shifts, and counts the figures whose height changes after they have been drawn."""

# plotly widens margins that are too narrow, and then draws the whole figure again.
TAKEN = """(plots) => plots.map(({ _fullLayout: { margin, _size } }) =>
  Math.max(...["l", "r", "t", "b"].map((side) => _size[side] - Math.round(margin[side]))))"""

DRAWN = "canvas, svg, .js-plotly-plot, .stDataFrame, .stHtml"
"""What pages draw: our components, plotly, tables, pieces."""

SEEN = """() => {
  const main = document.querySelector("[data-testid='stMain']");
  const wide = Math.max(document.documentElement.scrollWidth, main.scrollWidth);
  const bars = [...document.querySelectorAll(".modebar-container")]
    .filter((bar) => getComputedStyle(bar).display !== "none").length;
  const unsaved = [...document.querySelectorAll(".js-plotly-plot")]
    .filter((plot) => !plot.querySelector("[data-title='Download plot']")).length;
  const cut = [...document.querySelectorAll(".stMarkdownBadge, [class*='st-key-edits-row']")]
    .filter((node) => node.clientWidth && node.scrollWidth > node.clientWidth)
    .map((node) => node.textContent);
  const found = { wide, bars, unsaved, cut, small: [], hyphens: [] };
  const skipped = ".katex, style, script, code, pre, [data-testid='stIconMaterial']";
  const read = (node) => {
    const size = parseFloat(getComputedStyle(node).fontSize);
    const box = node.closest("svg")?.viewBox.baseVal;
    const scale = box?.width ? node.closest("svg").getBoundingClientRect().width / box.width : 1;
    for (const text of node.childNodes) {
      if (text.nodeType !== 3 || !text.data.trim() || !node.checkVisibility()) continue;
      if (node.closest(skipped)) continue;
      if (size * scale < 10.95) found.small.push(`${text.data} (${size * scale})`);
      if (/(^|[\\s(:,=→])-\\d/.test(text.data)) found.hyphens.push(text.data);
    }
  };
  const walk = (root) => root.querySelectorAll("*").forEach((node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    read(node);
  });
  walk(main);
  return found;
}"""

MOST, ENOUGH = 0.6, 300
"""So much of the height of a picture is in view on stage, or so many pixels of it."""

IN_VIEW = """(picture) => {
  const { top, bottom, height } = picture.getBoundingClientRect();
  return [Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 64)), height];
}"""
"""The pixels of a picture that are in view below the top bar, and its height."""

END = "(parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right))"


@pytest.mark.parametrize(
    "link",
    [pytest.param(one, marks=pytest.mark.nightly if one in NIGHTLY else ()) for one in VISITS],
)
def test_a_page_is_whole_on_a_screen_on_a_phone_and_on_stage(
    page: Page, app: str, link: str
) -> None:
    visit = VISITS[link]
    watch_letters(page)
    page.add_init_script(WATCH)
    size(page, SCREEN)
    page.goto(f"{app}/{address(link)}")
    come(page, visit)
    looks = (when_it_comes, in_the_dark, to_its_end, on_a_phone, on_a_large_screen)
    first = "?" not in link  # other views of a page are looked at on large screens
    wrong = [
        fault for look in (looks if first else (on_a_large_screen,)) for fault in look(page, visit)
    ]
    assert wrong == []
    if first:
        following = title_of(after(link))
        expect(page.get_by_role("link", name=f"Next: {following}")).to_be_attached()
    page.evaluate("() => window.painted.clear()")
    page.keyboard.press("p")
    tools = page.locator(".st-key-top-bar .tools")
    expect(tools).to_have_attribute("data-stage", "true", timeout=LONG)
    rest(page)
    assert [*on_a_large_screen(page, visit), *on_stage(page, visit)] == []
    if link in CHECKS:
        CHECKS[link](page)


def picture(page: Page, visit: Visit) -> Locator:
    return page.locator(visit.picture).filter(visible=True).first


def come(page: Page, visit: Visit) -> None:
    """Wait until a page has come."""
    expect(picture(page, visit)).to_be_visible(timeout=LONG)
    rest(page)


def size(page: Page, screen: tuple[int, int]) -> None:
    """Give the window a size, at which canvases are painted anew."""
    width, height = screen
    page.evaluate("() => window.painted?.clear()")
    page.set_viewport_size({"width": width, "height": height})


def when_it_comes(page: Page, visit: Visit) -> Iterator[str]:
    """Nothing jumps, a figure is drawn once, and axe finds nothing of ours."""
    plots = page.locator(".js-plotly-plot:has(.main-svg)")
    if visit.figures:
        expect(plots.nth(visit.figures - 1)).to_be_attached(timeout=LONG)
    shift = sum(page.evaluate("() => window.shifts"))
    if shift > MOST_SHIFT:
        yield f"what is there moved by {shift:.2f}"
    if page.evaluate("resized"):
        yield "a figure has been drawn twice"
    if visit.figures and any(grown > 1 for grown in plots.evaluate_all(TAKEN)):
        yield "the labels of a figure take more room than was kept for them"
    yield from found_by_axe(page)


def in_the_dark(page: Page, visit: Visit) -> Iterator[str]:
    if not visit.dark:
        return
    page.emulate_media(color_scheme="dark")
    page.reload()
    come(page, visit)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(14, 17, 23)")
    yield from found_by_axe(page)


def to_its_end(page: Page, _visit: Visit) -> Iterator[str]:
    """The top bar stays, low, and so does what shares the link."""
    main = page.get_by_test_id("stMain")
    main.evaluate("main => main.scrollTo(0, main.scrollHeight)")
    bar = page.locator(".st-key-top-bar")
    expect(bar.get_by_role("button", name="Copy the link")).to_be_visible()
    box = bar.locator("..").bounding_box()
    if not box or round(box["y"]) != 0 or box["height"] > 64:
        yield f"the top bar is at {box}"
    main.evaluate("main => main.scrollTo(0, 0)")


def on_a_phone(page: Page, visit: Visit) -> Iterator[str]:
    """Everything fits and can be read, and the picture begins on the first screen."""
    size(page, PHONE)
    rest(page)
    drawn = page.get_by_test_id("stMainBlockContainer").locator(DRAWN).filter(visible=True)
    expect(drawn.first).to_be_visible()
    wanted = {"wide": PHONE[0], "bars": 0, "unsaved": 0, "cut": [], "small": [], "hyphens": []}
    seen = page.evaluate(SEEN)
    yield from (
        f"on a phone, {what}: {seen[what]}" for what in wanted if seen[what] != wanted[what]
    )
    box = picture(page, visit).bounding_box()
    if not box or box["y"] >= PHONE[1]:
        yield "the picture is below the first screen of a phone"


def on_a_large_screen(page: Page, visit: Visit) -> Iterator[str]:
    """What stands side by side uses the width."""
    if not visit.beside:
        return
    size(page, LARGE)
    rest(page)
    parts = page.locator(visit.beside)
    expect(parts.nth(1)).to_be_visible(timeout=LONG)
    end = parts.evaluate_all(END)
    if not 0.94 * LARGE[0] < end <= LARGE[0]:
        yield f"what stands side by side ends at {end} of {LARGE[0]} pixels"


def on_stage(page: Page, visit: Visit) -> Iterator[str]:
    """The picture is in view, and letters are read from afar on any screen."""
    if page.viewport_size == {"width": LARGE[0], "height": LARGE[1]}:
        size(page, SCREEN)  # a canvas is painted anew at another size alone
        rest(page)
    for screen in (LARGE, SCREEN):
        size(page, screen)
        rest(page)
        yield from (f"on {screen[0]} pixels, {text}" for text in small_letters(page))
    seen, height = picture(page, visit).evaluate(IN_VIEW)
    if seen < min(MOST * height, ENOUGH):
        yield f"{seen:.0f} of {height:.0f} pixels of the picture are in view"
    if height < 100:
        yield "no picture"
    expect(page.locator(".st-key-top-bar .tools")).to_be_visible()
    for part in visit.in_view:
        expect(page.locator(part).filter(visible=True).last).to_be_in_viewport(ratio=0.99)


def test_axe_finds_a_text_with_too_little_contrast(page: Page) -> None:
    page.set_content("<html lang='en'><title>t</title><main><p style='color:#999'>Pale</p></main>")
    names = [found.partition(":")[0] for found in found_by_axe(page)]
    assert names == ["color-contrast", "page-has-heading-one"]


@pytest.mark.nightly
@pytest.mark.parametrize("link", [link for link, visit in VISITS.items() if visit.in_view])
def test_in_chinese_everything_is_in_view_on_stage_too(page: Page, app: str, link: str) -> None:
    size(page, SCREEN)
    page.goto(f"{app}/{address(link, present='1', lang='zh')}")
    for part in VISITS[link].in_view:
        shown = page.locator(part).filter(visible=True).last
        expect(shown).to_be_in_viewport(ratio=0.99, timeout=LONG)


def test_the_whole_model_fits_a_small_screen(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{app}/about")
    model = page.locator(".st-key-whole-model [tabindex]")
    expect(model.locator("[data-head='cross 6.8']")).to_be_visible(timeout=LONG)
    rest(page)
    assert model.evaluate("box => box.scrollWidth <= box.clientWidth")
    tile = model.locator("[data-head='cross 6.8']").bounding_box()
    assert tile
    assert tile["width"] >= 14


def pause(page: Page) -> None:
    """Let time pass: what is done faster is taken back together."""
    rest(page)
    page.wait_for_timeout(1200)


def test_back_and_forward_walk_through_edits(page: Page, app: str) -> None:
    page.goto(f"{app}/lab_heads")
    names = ("encoder 1.1", "cross 5.6")
    for name in names:
        cell = page.locator(f".board .cell[data-switch]:not([title*=' · '])[aria-label^='{name}']")
        cell.click(timeout=LONG)
        expect(cell).to_have_attribute("aria-pressed", "true", timeout=LONG)
        pause(page)
    pressed = page.locator(".board .cell[data-switch]:not([title*=' · '])[aria-pressed='true']")
    for go, count in ((page.go_back, 1), (page.go_back, 0), (page.go_forward, 1)):
        go()
        expect(pressed).to_have_count(count, timeout=LONG)
    expect(page).to_have_url(re.compile(r"edits=zero\.e\.1\.1$"))


def test_back_and_forward_walk_through_the_decoders_steps(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=3")
    for step in ("4", "5"):
        decoder.press("ArrowRight")
        wait_for_link(page, "step", step)
        settled(page)
        pause(page)
    for go, step in ((page.go_back, "4"), (page.go_back, "3"), (page.go_forward, "4")):
        go()
        expect(settled(page)).to_have_attribute("data-step", step, timeout=LONG)
