"""What the first page shows before Streamlit has started, and how the page itself takes over."""

import re
import urllib.request

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser.waiting import LONG, rest
from tests.browser.conftest import Scheme
from viz.server.first_paint import SCRIPT

BOX = "node => { const b = node.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }"
FIRST = "#first-picture"


def without_server(page: Page, link: str) -> None:
    """Open a link whose websocket never answers: only what the first answer brought is there."""
    page.route_web_socket("**/_stcore/stream", lambda _socket: None)
    page.goto(link)
    expect(page.locator(f"{FIRST} .knot").first).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_it_stands_where_the_page_draws_its_own(
    browser: Browser, app: str, width: int, scheme: Scheme
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(LONG)
    early, late = context.new_page(), context.new_page()
    without_server(early, app)
    late.goto(app)
    expect(late.locator(".story")).to_be_visible()
    expect(late.locator(FIRST)).to_have_count(0)
    rest(late)
    seen = []
    for page in (early, late):
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        story = page.locator(".story")
        ink = story.evaluate("node => getComputedStyle(node).color")
        seen.append((story.evaluate(BOX), story.inner_text(), ink))
    assert seen[0][0] == pytest.approx(seen[1][0], abs=1)
    assert seen[0][1:] == seen[1][1:]
    background = early.locator(FIRST).evaluate("node => getComputedStyle(node).backgroundColor")
    assert background == late.get_by_test_id("stApp").evaluate(
        "node => getComputedStyle(node).backgroundColor"
    )
    context.close()


def test_a_link_that_is_pressed_before_the_page_is_there_is_loaded(page: Page, app: str) -> None:
    """Streamlit does not listen yet: told of the link, it would later show the first page there."""
    without_server(page, app)
    page.evaluate("() => (window.before = true)")
    page.locator(f"{FIRST} .story").get_by_role("link", name="Where else?").last.click()
    expect(page).to_have_url(re.compile("/atlas[?].*atlas=Where"))
    page.wait_for_load_state()
    assert page.evaluate("() => window.before") is None
    expect(page.locator(FIRST)).to_have_count(0)


def test_its_switch_works_and_the_page_goes_on_from_there(page: Page, app: str) -> None:
    held: list[WebSocketRoute] = []
    asked: list[str | bytes] = []

    def hold(socket: WebSocketRoute) -> None:
        held.append(socket)
        socket.on_message(lambda message: asked.append(message))

    page.route_web_socket("**/_stcore/stream", hold)
    page.goto(app)
    page.get_by_role("radio", name="wide").click()
    expect(page.locator(f"{FIRST} .story")).to_have_attribute("data-shown", "1")
    expect(page.locator(".target .on").first).to_have_text("elle")
    while not asked:
        page.wait_for_timeout(50)
    server = held[0].connect_to_server()
    held[0].on_message(lambda message: server.send(message))
    for message in asked:
        server.send(message)
    expect(page.locator(FIRST)).to_have_count(0)
    expect(page.locator(".story")).to_have_attribute("data-shown", "1")
    expect(page.get_by_role("radio", name="wide")).to_have_attribute("aria-checked", "true")


def test_it_speaks_the_language_of_the_link_and_of_the_browser(browser: Browser, app: str) -> None:
    for locale, query, name in (
        ("en-GB", "", "Try your own sentence"),
        ("en-GB", "?lang=zh", "试试你自己的句子"),
        ("zh-CN", "", "试试你自己的句子"),
        ("zh-CN", "?lang=en", "Try your own sentence"),
        ("pt-BR", "", "Try your own sentence"),
    ):
        page = browser.new_page(locale=locale)
        page.set_default_timeout(LONG)
        without_server(page, f"{app}/{query}")
        expect(page.get_by_role("link", name=name)).to_be_visible()
        page.context.close()


def test_only_the_first_page_of_the_first_model_has_it(app: str) -> None:
    def asks(path: str) -> bool:
        with urllib.request.urlopen(app + path, timeout=60) as answer:
            return SCRIPT in answer.read().decode()

    assert asks("/")
    assert asks("/?lang=zh")
    assert not asks("/attention")
    assert not asks("/?model=en-fr-dot")
    assert not asks("/?scene=1")


def test_the_script_is_kept_by_the_browser_and_the_page_is_not(app: str) -> None:
    with urllib.request.urlopen(f"{app}/", timeout=60) as answer:
        text = answer.read().decode()
        assert "no-cache" in answer.headers["Cache-Control"]
        assert answer.headers["ETag"] is None
    found = re.search(rf'src="\./({SCRIPT}[^"]*)"', text)
    assert found is not None
    # Before Streamlit's own scripts, which are put off to the same moment.
    assert found.start() < text.index('<script type="module"')
    with urllib.request.urlopen(f"{app}/{found[1].replace('&amp;', '&')}", timeout=60) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Type"].startswith("text/javascript")


def test_the_code_for_charts_is_loaded_before_the_first_chart(page: Page, app: str) -> None:
    loaded = """() => performance.getEntriesByType("resource")
      .some((each) => each.name.includes("/PlotlyChart."))"""
    page.goto(f"{app}/tokens?tokens=pieces")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    page.wait_for_function(loaded)
