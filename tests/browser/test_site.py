"""The site in a browser: from files and from any static host, offline, in both languages."""

import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.explorer_file import explorer
from browser.waiting import LONG
from model import Translator
from tests.browser.axe import found_by_axe
from tests.browser.clock import pass_time, stop_clock
from tests.browser.conftest import ADDRESS, Scheme
from tests.browser.decoder import pieces, settled
from tests.nightly import nightly
from tests.sentences import DECIDING, TIRED_OR_WIDE
from viz.compute import learning, story_cuts, swings
from viz.site.pages import ATTENTION
from viz.site.site import LARGEST

READY = {
    "index": ".story[data-shown]",
    "attention": ".explorer[data-painted]",
    "decoder": ".decoder[data-busy='false']",
    "head": ".chain[data-query]",
    "lab_heads": "#picture[aria-busy=false] .outcome",
    "lab_masks": "#picture[aria-busy=false] .outcome",
    "trace": ".trace",
    "learning": ".timeline[data-ready='true']",
}
"""The pages, and how each says that it is drawn."""

GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(14, 17, 23)"}
TITLES = {"en": "Attention", "zh": "注意力"}


def opened(page: Page, folder: Path, name: str, language: str = "en") -> Locator:
    """Open a page of the site from its file."""
    file, _, rest = name.partition("?")
    path = folder / ("" if language == "en" else language) / f"{file}.html"
    page.goto(f"{path.as_uri()}{'?' if rest else ''}{rest}")
    return drawn(page, file)


def cut(page: Page, kind: str) -> None:
    """Press the scissors of an arc of the story, once they rest on it."""
    expect(page.locator(".drawing")).to_have_attribute("data-moving", "")
    page.locator(f".change[data-change='{kind}']").click()


def drawn(page: Page, name: str) -> Locator:
    root = page.locator(READY[name])
    expect(root).to_be_visible()
    expect(page.locator("#problem")).to_be_hidden()
    return root


def test_it_is_small(site: Path) -> None:
    sizes = {path: path.stat().st_size for path in site.rglob("*") if path.is_file()}
    assert sum(size for path, size in sizes.items() if path.parent.name != "model") <= LARGEST
    assert sum(sizes.values()) <= 30_000_000


def test_every_link_leads_to_a_file_and_only_the_given_address_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 2 * len(READY)
    for path in pages:
        text = path.read_text(encoding="utf-8")
        links = [unescape(link) for link in re.findall(r'(?:href|src)="([^"]*)"', text)]
        links += re.findall(r'"(\w+\.html(?:\?[^"]*)?)"', text)  # those its script draws
        assert ADDRESS in links
        for link in links:
            if link.startswith(("data:", "#", ADDRESS)):
                continue
            parts = urlsplit(link)
            assert not parts.scheme, link
            assert (path.parent / unquote(parts.path)).is_file(), link


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), *nightly(("zh", "dark"))])
def test_it_opens_from_files_offline_asks_nobody_and_is_whole_on_a_screen_and_a_phone(
    browser: Browser, site: Path, language: str, scheme: Scheme
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce", offline=True)
    page = context.new_page()
    page.set_default_timeout(LONG)
    asked, errors = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    for name in READY:
        opened(page, site, name, language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("link", name=TITLES[language], exact=True).first).to_be_visible()
        expect(page.locator("body")).to_have_css("background-color", GROUNDS[scheme])
        expect(page.locator("#program pre")).to_contain_text("pip install .\nheadlight")
        expect(page.locator("#program a")).to_have_attribute("href", ADDRESS)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 720})
            page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
            assert found_by_axe(page) == [], (name, width)
        assert page.evaluate(
            "document.fonts.check('16px \"Source Sans\"')"
        )  # the app's own font stands in the style sheet
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []
    context.close()


def test_the_story_has_its_switch_and_scissors_with_the_models_own_numbers(
    page: Page, site: Path
) -> None:
    found, _ = story_cuts.cuts_and_turns(swings.story())
    root = opened(page, site, "index")
    page.get_by_role("radio", name="wide").click()
    expect(page.locator(".target .on").first).to_have_text("elle")
    kinds = [head.kind for head in found.heads]
    for bit, kind in enumerate(kinds):
        cut(page, kind)
        likely = found.likely[1, 2**bit]
        shown = page.locator(".chance .value")
        expect(shown).to_have_text([f"{chance:.1%}" for chance in likely])
        cut(page, kind)
    expect(root).to_have_attribute("data-changed", "")


def test_a_word_of_the_story_leads_to_its_attention(
    page: Page, host: str, translator: Translator
) -> None:
    page.goto(f"{host}/index.html")
    drawn(page, "index")
    page.get_by_role("radio", name="wide").click()
    page.locator(".source .word", has_text=re.compile("^it$")).click()
    expect(page.get_by_role("menuitem")).to_have_text(["Its attention"])
    page.get_by_role("menuitem").click()
    root = explorer(page)
    recording = translator.record(TIRED_OR_WIDE.second)
    query, key = (recording.source_tokens.index(piece) for piece in ("▁it", "▁street"))
    weight = recording.attention("encoder")[5, 3, query, key]
    expect(page.locator("#sentence")).to_have_value(TIRED_OR_WIDE.second)
    expect(root).to_have_attribute("data-locks", f"q{query + 1}")
    expect(root).to_contain_text(f"{DECIDING} gives street {weight:.2f}")


def test_the_way_on_follows_the_first_sentence_and_back(page: Page, host: str) -> None:
    page.goto(f"{host}/index.html")
    drawn(page, "index")
    own = page.get_by_role("link", name="Try your own sentence")
    expect(own).to_have_attribute("href", f"{ATTENTION}.html")
    page.locator(".way.first").click()
    root = explorer(page)
    expect(root).to_have_attribute("data-heads", "4")
    expect(root).to_contain_text(f"{DECIDING} gives animal")
    page.locator("#examples").select_option(TIRED_OR_WIDE.second)
    expect(page.locator("#sentence")).to_have_value(TIRED_OR_WIDE.second)
    page.locator("#ways").get_by_role("link", name="The story").click()
    expect(drawn(page, "index")).to_have_attribute("data-shown", "1")


def test_the_theme_and_the_view_go_along_to_the_other_language(page: Page, site: Path) -> None:
    page.emulate_media(color_scheme="light")
    opened(page, site, "attention")
    page.locator("#theme").click()
    expect(page.locator("body")).to_have_css("background-color", GROUNDS["dark"])
    page.get_by_role("button", name="Matrix").click()
    page.wait_for_url("**/*view=matrix*")
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(explorer(page)).to_have_attribute("data-view", "matrix")
    expect(page.locator("body")).to_have_css("background-color", GROUNDS["dark"])
    page.locator("#theme").click()


def test_a_piece_leads_to_the_attention_of_its_step(page: Page, site: Path) -> None:
    opened(page, site, "decoder?step=3")
    root = settled(page)
    assert pieces(root.locator(".target"))[1] != ""
    root.locator(".target [data-position='2']").click()
    page.get_by_role("menuitem", name="Its attention").click()
    expect(explorer(page)).to_have_attribute("data-locks", "q3")


def test_a_head_is_born_as_in_the_models_history(page: Page, site: Path) -> None:
    history = learning.history()
    assert history is not None
    page.emulate_media(reduced_motion="reduce")  # else it plays at once
    root = opened(page, site, "learning?kind=cross&layer=5&head=3")
    expect(root).to_have_attribute("data-head", "cross 5.3")
    place = [one.source for one in history.sentences].index(TIRED_OR_WIDE.first)
    translation = root.locator(".translation")
    expect(translation).to_have_text(history.translations[-1][place])
    root.locator(".range").fill("20")
    expect(root).to_have_attribute("data-moment", "20")
    expect(translation).to_have_text(history.translations[20][place] or "(nothing)")
    stop_clock(page)
    root.locator(".play").click()
    expect(root).to_have_attribute("data-playing", "true")
    pass_time(page, 60_000)
    expect(root).to_have_attribute("data-moment", str(len(history.steps) - 1))
    expect(root).to_have_attribute("data-playing", "false")
    opened(page, site, "learning?kind=cross&layer=99&head=3")
    expect(root).to_have_attribute("data-head", DECIDING)


def test_any_static_host_will_do(page: Page, host: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in READY:
        for folder in ("", "zh/"):
            page.goto(f"{host}/{folder}{name}.html")
            drawn(page, name)
    page.goto(f"{host}/")
    page.get_by_role("radio", name="wide").click()
    page.locator(".target .on", has_text="elle").click()
    page.get_by_role("menuitem", name="How this translation is written").click()
    expect(settled(page)).to_have_attribute("data-step", "14")
    assert [url for url in asked if not url.startswith((host, "data:", "blob:"))] == []


def test_a_file_that_is_missing_is_named(page: Page, site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    (copy / "data" / "attention-0.js").unlink()
    page.goto((copy / "attention.html").as_uri())
    expect(page.locator("#problem")).to_have_text(
        "A file of this site is missing: data/attention-0.js"
    )
