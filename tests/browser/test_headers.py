"""Headers say what a page may load, and Chromium keeps to them.

That pages work under them is in `test_every_page`, where one that is refused anything fails.
"""

import urllib.request

from playwright.sync_api import Browser, expect

from browser.waiting import LONG

REFUSE = """() => new Promise((done) => {
  addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  setTimeout(() => done("nothing was refused"), 90_000);
  WORK
})"""


def test_a_page_asks_no_other_host_runs_no_text_and_frames_nothing(
    browser: Browser, app: str
) -> None:
    context = browser.new_context()  # not the window whose tabs may be refused nothing
    page = context.new_page()
    page.set_default_timeout(LONG)
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
        with urllib.request.urlopen(app + path, timeout=60) as answer:
            assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
