"""A page on paper: light, with its sentence and picture, without what one presses."""

import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect

from browser.waiting import LONG, rest

SIZE = {"width": 1040, "height": 730}  # A4, across
PRESSED = (
    ".stSidebar", ".st-key-bar-tools-place", ".st-key-examples", ".explorer .toolbar",
    ".stDownloadButton",
)  # fmt: skip


def test_a_dark_page_is_printed_light_and_without_what_one_presses(
    app: str, browser: Browser, tmp_path: Path
) -> None:
    context = browser.new_context(viewport=SIZE, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{app}/attention")
    expect(page.locator(".explorer")).to_have_attribute("data-painted", re.compile(r"\d"))
    rest(page)
    page.emulate_media(media="print")
    rest(page)
    for part in PRESSED:
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator(".bar-said").last).to_be_visible()
    expect(page.locator(".bar-said").last).to_contain_text("L'animal n'a pas traversé")
    picture = page.locator(".explorer .picture").bounding_box()
    assert picture is not None
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= SIZE["width"]
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        counts = shot.convert("L").histogram()
    assert sum(counts[230:]) > 0.8 * sum(counts)  # paper
    assert sum(counts[:110]) > 1000  # ink
    file = tmp_path / "page.pdf"
    page.pdf(path=file, format="A4", landscape=True)
    assert file.read_bytes().startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", file.read_bytes())) <= 2
    context.close()
