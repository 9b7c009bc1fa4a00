"""Figures of plotly, saved from a page: SVG with real text, light, captioned, nothing cut off."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest
from tests.browser.conftest import Scheme
from tests.nightly import nightly

SVG = "{http://www.w3.org/2000/svg}"
SENTENCE = "The animal didn't cross the street because it was too tired."
FIGURES = [
    ("head?one_head=all queries, exactly", "·animal", "light"),
    ("why", "LayerNorm biases", "dark"),
    *nightly(
        ("head?one_head=all queries, exactly", "·animal", "dark"),
        ("tokens?tokens=neighbours", "cosine to the chosen piece", "dark"),
        ("recurrent?ancestors=one step", "dimension", "dark"),
    ),
]
OUTSIDE = """() => {
  const frame = document.documentElement.getBoundingClientRect();
  return [...document.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
  }).map((text) => text.textContent);
}"""


def opened(page: Page, link: str, scheme: Scheme) -> None:
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.emulate_media(color_scheme=scheme)
    page.goto(link)


def saved(page: Page, folder: Path) -> Path:
    """Press the first figure's button; return the file."""
    figure = page.locator(".js-plotly-plot").first
    expect(figure).to_be_visible()
    rest(page)
    figure.scroll_into_view_if_needed()
    figure.hover()
    with page.expect_download() as download:
        figure.locator("[data-title='Download plot']").click()
    assert re.fullmatch(r"headlight-[\w-]+\.svg", download.value.suggested_filename)
    path = folder / "figure.svg"
    download.value.save_as(path)
    return path


@pytest.mark.parametrize(("link", "said", "scheme"), FIGURES)
def test_a_figure_goes_to_paper(
    app: str, page: Page, tmp_path: Path, link: str, said: str, scheme: Scheme
) -> None:
    opened(page, f"{app}/{link}", scheme)
    path = saved(page, tmp_path)
    root = ElementTree.parse(path).getroot()
    texts = ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    assert any(said in text for text in texts)
    caption = " ".join(texts[-4:])
    assert f"English: {SENTENCE}" in caption
    assert "Made with Headlight." in caption
    written = path.read_text(encoding="utf-8")
    assert "fill: rgb(255, 255, 255); fill-opacity: 1" in written  # the ground
    assert not re.search(r"rgb\((14, 17, 23|250, 250, 250|48, 52, 61)\)", written)
    assert "Arial" in written
    page.goto(path.as_uri())
    assert page.evaluate(OUTSIDE) == []


def test_the_figure_on_screen_stays_dark(app: str, page: Page, tmp_path: Path) -> None:
    opened(page, f"{app}/why", "dark")
    figure = page.locator(".js-plotly-plot").first
    look = "plot => [plot.layout.height, plot.layout.font.color]"
    expect(figure).to_be_visible()
    rest(page)
    before = figure.evaluate(look)
    saved(page, tmp_path)
    assert figure.evaluate(look) == before
    assert before[1] == "#fafafa"


def test_a_stranger_s_sentence_stays_text(page: Page, app: str, tmp_path: Path) -> None:
    page.goto(
        f'{app}/tokens?tokens=neighbours&sentence=The <b>cat</b> %26 "the" '
        "<a href='https://example.org'>dog</a>"
    )
    path = saved(page, tmp_path)
    root = ElementTree.parse(path).getroot()
    texts = " ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))
    assert "<b>cat</b> & \"the\" <a href='https://example.org'>dog</a>" in texts
    assert not list(root.iter(f"{SVG}a"))
