"""The app in a frame of another site, on another port of this machine."""

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.server import running_app
from browser.waiting import LONG, rest
from tests.browser.static_host import hosted
from tests.nightly import nightly
from viz.link.framing import FRAMES


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder of the other site, and its address."""
    folder = tmp_path_factory.mktemp("host")
    with hosted(folder) as address:
        yield folder, address


@pytest.fixture(scope="module")
def framable(host: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that pages of the other site may frame."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FRAMES, host[1])
        with running_app(tmp_path_factory.mktemp("framable") / "log.txt", cold=True) as address:
            yield address


def frame(page: Page, host: tuple[Path, str], element: str) -> None:
    """Open a page of the other site that holds this frame."""
    (host[0] / "index.html").write_text(f"<h1>A course</h1>{element}", encoding="utf-8")
    page.goto(host[1], timeout=LONG)


def iframe(address: str) -> str:
    return f'<iframe src="{address}" width="1000" height="600"></iframe>'


@pytest.mark.parametrize(
    ("link", "picture"),
    [
        ("?embed=1", ".story svg, .story"),
        *nightly(
            ("attention?sentence=The+cat+sleeps.&embed=1", ".explorer .view:not([hidden])"),
            ("positions?positions=table&embed=1", ".js-plotly-plot"),
        ),
    ],
)
def test_the_picture_stands_alone_above_a_link_to_the_whole_page(
    browser: Browser, host: tuple[Path, str], framable: str, link: str, picture: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    frame(page, host, iframe(f"{framable}/{link}"))
    inside = page.frame_locator("iframe")
    expect(inside.locator(picture).first).to_be_visible(timeout=120_000)
    expect(inside.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=120_000
    )
    whole = inside.locator("#whole-page")
    expect(whole).to_be_visible()
    for other in (".st-key-top-bar", ".stSidebar", ".st-key-page-top", ".st-key-next-page"):
        expect(inside.locator(other)).to_be_hidden()
    bottom = "one => one.getBoundingClientRect().top < window.innerHeight - 40"
    assert inside.locator(picture).first.evaluate(bottom)
    with context.expect_page() as opened:
        whole.click()
    expect(opened.value.locator(".st-key-top-bar")).to_be_visible(timeout=120_000)
    assert "embed" not in opened.value.url
    context.close()


def test_a_page_that_was_not_named_frames_nothing(
    browser: Browser, host: tuple[Path, str], framable: str, app: str
) -> None:
    page = browser.new_context().new_page()
    unnamed = host[0], host[1].replace("127.0.0.1", "localhost")
    for where, framed in ((unnamed, framable), (host, app)):
        with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            frame(page, where, iframe(framed))
    page.context.close()


def test_only_those_named_steer_the_app(host: tuple[Path, str], framable: str) -> None:
    with urllib.request.urlopen(f"{framable}/_stcore/host-config", timeout=60) as answer:
        assert json.loads(answer.read())["allowedOrigins"] == [host[1]]


def test_share_gives_a_frame_that_the_other_site_can_show(
    browser: Browser, host: tuple[Path, str], framable: str
) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{framable}/attention?sentence=The+cat+sleeps.&present=1", timeout=LONG)
    rest(page)
    page.get_by_role("button", name=re.compile("Copy an <iframe>")).click(timeout=120_000)
    expect(page.get_by_text("Frame copied")).to_be_visible()
    element = page.evaluate("navigator.clipboard.readText()")
    assert "present" not in element
    frame(page, host, element)
    inside = page.frame_locator("iframe")
    expect(inside.locator(".explorer .view:not([hidden])")).to_be_visible(timeout=120_000)
    expect(inside.locator(".st-key-top-bar")).to_be_hidden()
    context.close()


def test_without_those_who_may_frame_it_share_gives_a_link_alone(page: Page, app: str) -> None:
    page.goto(f"{app}/attention")
    expect(page.get_by_role("button", name="Copy the link of this view")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("iframe"))).to_have_count(0)
