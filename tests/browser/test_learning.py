"""How it learned: the topics, and a history played in the browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.server import running_app
from browser.waiting import rest
from tests.browser.asked import asked_by
from tests.browser.clock import pass_time, stop_clock
from tests.browser.views import choose_view
from tests.fixtures.history import with_history

MOMENTS = 12
PATIENCE = 120_000
MOMENT = re.compile(r"[?&]moment=\d")


@pytest.fixture(scope="module")
def with_past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app whose checkpoint has a history."""
    folder = tmp_path_factory.mktemp("past")
    patch = pytest.MonkeyPatch()
    patch.setenv("HEADLIGHT_CHECKPOINT", str(with_history(folder / "en-fr", MOMENTS)))
    with running_app(folder / "log.txt", cold=True) as address:
        yield address
    patch.undo()


def test_the_topics_draw_their_pictures(page: Page, app: str) -> None:
    page.goto(f"{app}/learning?learning=one+example&take=1")
    expect(page.locator(".rows tr.chosen")).to_be_visible(timeout=PATIENCE)
    page.get_by_text("What am I looking at?").click()
    expect(page.get_by_text("Both were done for this page")).to_be_visible(timeout=PATIENCE)
    for topic, seen in (
        ("teacher forcing", ".rows tr.parts"),
        ("steps", ".st-key-update-picture .js-plotly-plot"),
        ("rate", ".st-key-schedule-picture .js-plotly-plot"),
        ("optimizers", ".st-key-walks-picture .js-plotly-plot"),
        ("dropout", ".st-key-dropout-picture .js-plotly-plot"),
    ):
        choose_view(page, topic.capitalize())
        expect(page.locator(seen).first).to_be_visible(timeout=PATIENCE)
        assert page.get_by_test_id("stException").count() == 0
        assert page.locator(".katex-error").count() == 0


def test_it_plays_once_when_it_is_first_seen(page: Page, with_past: str) -> None:
    page.goto(f"{with_past}/learning?learning=a+head+being+born")
    timeline = page.locator(".timeline")
    expect(timeline).to_have_attribute("data-moment", str(MOMENTS - 1), timeout=PATIENCE)
    expect(timeline).to_have_attribute("data-frames", re.compile(r"^[1-9]"))  # it has moved there
    expect(timeline).to_have_attribute("data-playing", "false")
    rest(page)
    last, said = timeline.locator(".reading").inner_text().split(": ", 1)
    marks = timeline.locator(".mark").evaluate_all(
        "nodes => nodes.map((node) => [node.innerText.split(' ')[0], node.title])"
    )
    step = last.removeprefix("Last event, step ")
    assert step == marks[-1][0]
    assert said == "; ".join(text for at, text in marks if at == step)
    timeline.get_by_role("slider").press("ArrowLeft")
    expect(page).to_have_url(re.compile("moment="), timeout=PATIENCE)
    choose_view(page, "Scores")
    expect(timeline).to_have_count(0, timeout=PATIENCE)
    choose_view(page, "A head being born")
    expect(timeline).to_have_attribute("data-moment", str(MOMENTS - 2), timeout=PATIENCE)
    expect(timeline).to_have_attribute("data-playing", "false")
    expect(timeline).to_have_attribute("data-frames", "0")


def test_a_history_is_played_and_read_when_asked(page: Page, with_past: str) -> None:
    asked = asked_by(page)
    page.emulate_media(reduced_motion="reduce")  # else it plays at once
    page.goto(f"{with_past}/learning?learning=a+head+being+born")
    timeline = page.locator(".timeline")
    expect(timeline).to_have_attribute("data-ready", "true", timeout=PATIENCE)
    rest(page)
    expect(timeline).to_have_attribute("data-moment", str(MOMENTS - 1))  # it opens at the end
    expect(timeline.locator(".translation")).to_contain_text("L'animal n'a pas traversé la rue")
    heads_and_weights_are_walked_with_arrow_keys(timeline)
    a_head_is_chosen_on_the_board_and_its_weights_are_read(timeline)
    a_moment_is_chosen_by_keyboard_and_by_mark(timeline)
    the_link_comes_back_to_the_moment_and_the_head(page, timeline)
    timeline.get_by_role("slider").press("End")
    expect(timeline).to_have_attribute("data-moment", str(MOMENTS - 1))
    expect(page).not_to_have_url(MOMENT)
    rest(page)
    before = asked.copy()
    it_plays_when_asked(page, timeline)
    assert asked == before  # without the server


def it_plays_when_asked(page: Page, timeline: Locator) -> None:
    """The last of a visit: its clock stands afterwards."""
    frames = int(timeline.get_attribute("data-frames") or 0)
    stop_clock(page)
    timeline.get_by_role("button", name=re.compile("Play")).click()
    expect(timeline).to_have_attribute("data-playing", "true")
    # On a busy machine a frame's time lies before the click that asked for it, or long after it.
    for milliseconds, moment in ((-40, 0), (590, 5), (100, 6), (9000, MOMENTS - 1)):
        expect(timeline).to_have_attribute("data-playing", "true")
        pass_time(page, milliseconds)
        expect(timeline).to_have_attribute("data-moment", str(moment))
    expect(timeline).to_have_attribute("data-playing", "false")
    expect(timeline).to_have_attribute("data-frames", str(frames + 3))


def a_moment_is_chosen_by_keyboard_and_by_mark(timeline: Locator) -> None:
    last = timeline.locator(".translation").inner_text()
    timeline.get_by_role("slider").press("Home")
    expect(timeline).to_have_attribute("data-moment", "0")
    assert timeline.locator(".translation").inner_text() != last
    mark = timeline.locator(".mark[title^='first right article']")
    phrase = (mark.get_attribute("title") or "").rpartition(": ")[2]
    assert mark.inner_text().endswith(f" {phrase}")
    mark.click()
    expect(mark).to_have_attribute("aria-pressed", "true")
    expect(timeline.locator(".translation")).to_contain_text(phrase, ignore_case=True)


def the_link_comes_back_to_the_moment_and_the_head(page: Page, timeline: Locator) -> None:
    moment, head = (timeline.get_attribute(f"data-{name}") or "" for name in ("moment", "head"))
    assert int(moment) < MOMENTS - 1
    step = re.findall(r"\d+", timeline.locator(".step").inner_text())[0]
    expect(page).to_have_url(re.compile(rf"[?&]moment={step}(&|$)"))  # not the moment before it
    page.reload()
    expect(timeline).to_have_attribute("data-moment", moment, timeout=PATIENCE)
    expect(timeline).to_have_attribute("data-head", head)  # picked on a board before
    rest(page)


def a_head_is_chosen_on_the_board_and_its_weights_are_read(timeline: Locator) -> None:
    tiles = timeline.locator('[data-kind="encoder"] canvas')
    side = int(tiles.get_attribute("data-tile") or 0)
    tiles.click(position={"x": 2.5 * side, "y": 1.5 * side})
    expect(timeline).to_have_attribute("data-head", "encoder 2.3")
    head = timeline.locator("canvas.head")
    left, top = (float(head.get_attribute(f"data-{side}") or 0) for side in ("left", "top"))
    head.hover(position={"x": left + 3, "y": top + 3})
    expect(timeline.locator(".reading")).to_have_text(re.compile(r"^·The → ·The: [01]\.\d\d$"))


def heads_and_weights_are_walked_with_arrow_keys(timeline: Locator) -> None:
    tiles = timeline.locator('[data-kind="encoder"] canvas')
    side = int(tiles.get_attribute("data-tile") or 0)
    tiles.click(position={"x": 2.5 * side, "y": 1.5 * side})
    tiles.press("ArrowRight")
    expect(timeline).to_have_attribute("data-head", "encoder 2.4")
    tiles.press("ArrowUp")
    tiles.press("ArrowUp")  # the first layer is the end
    expect(timeline).to_have_attribute("data-head", "encoder 1.4")
    tiles.press("Tab")  # to the next board, whose first head an arrow key chooses
    timeline.locator('[data-kind="decoder"] canvas').press("ArrowDown")
    expect(timeline).to_have_attribute("data-head", "decoder 1.1")
    head = timeline.locator("canvas.head")
    tiles.press("ArrowRight")
    head.press("ArrowDown")
    reading = timeline.locator(".reading")
    expect(reading).to_have_text(re.compile(r"^·The → ·The: [01]\.\d\d$"))
    head.press("ArrowRight")
    expect(reading).to_have_text(re.compile(r"^·The → ·animal: [01]\.\d\d$"))
    assert head.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    spoken = timeline.get_by_role("slider").get_attribute("aria-valuetext") or ""
    assert timeline.locator(".step").inner_text() in spoken
