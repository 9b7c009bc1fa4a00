"""The explorer in the app: its page, address bar, theme, other sentences, downloads."""

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.explorer_file import explorer, settle
from browser.waiting import LONG, rest
from tests.browser.conftest import Scheme
from tests.nightly import nightly


def opened(page: Page, address: str) -> Locator:
    page.goto(address)
    return explorer(page)


def say(page: Page, sentence: str) -> None:
    """Type a sentence and wait for its picture."""
    root = page.locator(".explorer")
    before = root.get_attribute("data-recording")
    box = page.get_by_label("Sentence to translate")
    box.fill(sentence)
    box.press("Enter")
    expect(root).not_to_have_attribute("data-recording", before or "")
    settle(page)


def keys_are_left_alone_while_typing(page: Page, root: Locator) -> None:
    box = page.get_by_label("Sentence to translate")
    box.fill("")
    box.press_sequentially("Gold medal 1")
    settle(page)
    expect(box).to_have_value("Gold medal 1")
    expect(root).to_have_attribute("data-view", "lines")


def test_the_address_bar_holds_the_picture_that_asks_no_other_host(
    page: Page, app: str, browser: Browser
) -> None:
    foreign: list[str] = []
    own = (app, app.replace("http", "ws"), "data:", "blob:")
    page.on("request", lambda r: None if r.url.startswith(own) else foreign.append(r.url))
    root = opened(page, f"{app}/attention")
    keys_are_left_alone_while_typing(page, root)
    say(page, "The cat is here.")
    page.locator(".explorer .title").click()
    for key in ("1", "ArrowDown", "ArrowRight", "g", "m", "l"):
        page.keyboard.press(key)
        settle(page)
    page.locator(".queries li").nth(1).click()
    settle(page)
    for part in ("sentence=The.cat.is.here", "kind=encoder", "view=lines", "lock=q2"):
        expect(page).to_have_url(re.compile(part))
    state = {name: root.get_attribute(f"data-{name}") for name in ("kind", "layer", "heads")}
    other = browser.new_page()
    other.set_default_timeout(LONG)
    again = opened(other, page.url)
    for name, value in state.items():
        expect(again).to_have_attribute(f"data-{name}", value or "")
    expect(again).to_have_attribute("data-locks", "q2")
    assert other.locator(".queries .token").nth(1).inner_text().strip() == "cat"
    other.close()
    assert foreign == []


def test_the_view_survives_another_sentence_and_another_page(page: Page, app: str) -> None:
    root = opened(page, f"{app}/attention?kind=encoder&layer=2&heads=3&view=matrix")
    say(page, "I am hungry.")
    expect(root).to_have_attribute("data-view", "matrix")
    expect(root).to_have_attribute("data-layer", "2")
    expect(page).to_have_url(re.compile("view=matrix"))
    page.get_by_role("link", name="One head", exact=True).click()
    expect(page.locator(".chain")).to_be_visible()
    page.get_by_role("link", name="Attention", exact=True).click()
    back = explorer(page)
    expect(back).to_have_attribute("data-view", "matrix")
    expect(back).to_have_attribute("data-heads", "3")
    expect(page).to_have_url(re.compile("view=matrix"))
    page.keyboard.press("g")  # keys work at once
    expect(back).to_have_attribute("data-view", "grid")


PATH_FIRST = """
const put = History.prototype.pushState;
History.prototype.pushState = function (state, title, link) {
  const parts = link.includes("view=matrix") ? link.split("?") : [link];
  put.call(this, state, title, parts[0]);
  if (parts.length > 1) history.pushState(state, title, link);
};
const soon = setTimeout;
window.setTimeout = (act, ms, ...more) =>
  String(act).includes("headlightAwaited") ? ((window.letGo = act), 0) : soon(act, ms, ...more);
"""
"""Streamlit may learn a page's parameters after its path; 100 ms later they are shown, here when
the test lets go."""


def test_a_page_reads_the_link_that_is_about_to_be_shown(page: Page, app: str) -> None:
    page.add_init_script(PATH_FIRST)
    opened(page, f"{app}/attention?kind=encoder&layer=2&heads=3&view=matrix")
    page.get_by_role("link", name="One head", exact=True).click()
    expect(page.locator(".chain")).to_be_visible()
    page.get_by_role("link", name="Attention", exact=True).click()
    back = explorer(page)
    assert "view=matrix" not in page.url
    expect(back).to_have_attribute("data-view", "matrix")
    page.evaluate("letGo()")
    expect(page).to_have_url(re.compile("view=matrix"))


@pytest.mark.parametrize("scheme", ["dark", *nightly("light")])
def test_it_follows_the_theme(page: Page, app: str, scheme: Scheme) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.emulate_media(color_scheme=scheme)
    root = opened(page, f"{app}/attention?view=lines")
    dark = re.compile(r"\bdark\b")
    if scheme == "dark":
        expect(root).to_have_class(dark)
    else:
        expect(root).not_to_have_class(dark)
    for key in "lgm":
        page.keyboard.press(key)
        settle(page)


def test_markup_in_a_sentence_stays_text(page: Page, app: str) -> None:
    opened(
        page,
        f"{app}/attention?sentence=<img src=x onerror=document.title='owned'> Hi.&kind=encoder",
    )
    assert "<" in page.locator(".queries").inner_text()
    assert page.locator("img[src='x']").count() == 0
    assert page.title() != "owned"


def test_the_whole_recording_is_downloaded(page: Page, app: str, tmp_path: Path) -> None:
    opened(page, f"{app}/attention?sentence=Hello.")
    rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the whole recording").click()
    path = tmp_path / "recording.npz"
    download.value.save_as(path)
    with np.load(path) as archive:
        assert "encoder.0.self_attn.q" in archive
        assert archive["source_tokens"][-1] == "</s>"
        assert archive["decoder.0.cross_attn.weights"].sum(axis=-1).max() < 1.001
        count = len(archive["source_tokens"])
        assert archive["encoder.0.self_attn.weights"].shape[1:] == (count, count)
    assert zipfile.is_zipfile(path)
