"""Every page works under the headers that say what it may load."""

import urllib.request

from playwright.sync_api import Browser, Page, expect

PICTURES = "canvas, svg, .js-plotly-plot, .stDataFrame, .stHtml"
"""What pages draw: our components, plotly, tables, pieces."""

REFUSE = """() => new Promise((done) => {
  addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  setTimeout(() => done("nothing was refused"), 5000);
  WORK
})"""


def test_every_page_draws_its_picture_and_loads_nothing_that_it_may_not(
    page: Page, app: str
) -> None:
    """The page itself fails the test when it is refused anything."""
    page.goto(app)
    links = page.get_by_test_id("stSidebarNavLink")
    expect(links.first).to_be_visible()
    addresses = [link.get_attribute("href") for link in links.all()]
    assert len(addresses) > 10
    for address in addresses:
        assert address is not None
        page.goto(address)
        running = page.get_by_test_id("stApp")
        expect(running).to_have_attribute("data-test-script-state", "notRunning")
        drawn = page.get_by_test_id("stMainBlockContainer").locator(PICTURES)
        picture = drawn.filter(visible=True).first
        expect(picture, f"a picture on {address}").to_be_visible()


def test_a_page_asks_no_other_host_runs_no_text_and_frames_nothing(
    browser: Browser, app: str
) -> None:
    context = browser.new_context()  # not the window whose tabs may be refused nothing
    page = context.new_page()
    page.goto(app)
    expect(page.get_by_test_id("stApp")).to_be_visible()
    for work, refused in {
        "document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.2:9/'}))": "img-src",
        "fetch('http://127.0.0.2:9/').catch(() => 0)": "connect-src",
        "document.body.append(Object.assign(document.createElement('script'),"
        " {textContent: '1'}))": "script-src-elem",
        "document.body.append(Object.assign(document.createElement('iframe'),"
        " {src: 'http://127.0.0.2:9/'}))": "frame-src",
    }.items():
        assert page.evaluate(REFUSE.replace("WORK", work)) == refused
    context.close()


def test_every_answer_has_the_headers(app: str) -> None:
    for path in ("/", "/_stcore/health", "/favicon.png", "/attention", "/?kind=cross"):
        with urllib.request.urlopen(app + path, timeout=10) as answer:
            assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
