"""After one visit, the site works without a network; with one, nobody sees an old version."""

import re
import shutil
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.waiting import LONG
from model import Translator
from tests.browser.static_host import hosted
from tests.browser.test_site_attention import SENTENCE, typed
from viz.site import engine

KEPT = "body[data-pages=kept]"


def answers(page: Page, translator: Translator, text: str) -> None:
    """Type a sentence, and wait for its translation."""
    typed(page, text)
    expect(page.locator(".translation")).to_contain_text(translator.translate(text).text)


def test_the_second_visit_needs_no_network(
    browser: Browser, site: Path, translator: Translator
) -> None:
    with browser.new_context() as context, ExitStack() as host:
        address = f"{host.enter_context(hosted(site.parent))}/{site.name}"
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.goto(f"{address}/attention.html")
        answers(page, translator, SENTENCE)
        expect(page.locator(KEPT)).to_be_attached()
        host.close()
        page.goto(f"{address}/attention.html")
        answers(page, translator, "The cat sleeps on the mat.")
        for other in ("", "trace.html", "zh/lab_heads.html"):
            page.goto(f"{address}/{other}")
            expect(page.locator("h1, h2").first).to_be_visible()
        expect(page.locator(".outcome")).to_be_visible()


def test_a_new_version_is_seen_at_once_and_the_old_one_is_forgotten(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(site, tmp_path / "site"))
    keeper = folder / engine.KEEPER
    with browser.new_context() as context, hosted(folder) as address:
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.goto(f"{address}/attention.html")
        page.locator("#sentence").press("End")
        page.locator("#sentence").press("Space")
        expect(page.locator(KEPT)).to_be_attached()
        (old,) = kept(page)
        for path in (folder / "attention.html", folder / "assets" / "site.css"):
            path.write_text(path.read_text(encoding="utf-8") + "\n/* anew */", encoding="utf-8")
        version = re.sub(r'"version":"\w+"', '"version":"anew"', keeper.read_text(encoding="utf-8"))
        keeper.write_text(version, encoding="utf-8")
        page.reload()
        assert "anew" in page.content()
        page.evaluate(
            "async (old) => { while ((await caches.keys()).includes(old)) "
            "await new Promise((go) => setTimeout(go, 50)); }",
            old,
        )
        assert [name.split()[-1] for name in kept(page)] == ["anew"]


def kept(page: Page) -> list[str]:
    """Return the names under which the browser keeps pages."""
    names = page.evaluate("caches.keys()")
    return [name for name in names if name.startswith("headlight-pages")]


def test_a_browser_that_keeps_no_pages_says_so_and_a_frame_keeps_none(
    browser: Browser, host: str, translator: Translator
) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.goto(f"{host}/attention.html?embed=1&sentence=No.")
        expect(page.locator("body[data-model]")).to_be_attached()
        assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []
        page.add_init_script(
            "navigator.serviceWorker.register = () => Promise.reject(new Error('private'))"
        )
        page.goto(f"{host}/attention.html?sentence=No.")
        expect(page.locator("#model")).to_contain_text("This browser keeps no pages here")
        expect(page.locator(".translation")).to_contain_text(translator.translate("No.").text)
