"""What comes out of the explorer: pictures, numbers and a file that opens by itself."""

import csv
import io
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.explorer_file import TOGETHER, explorer, ink, settle, token, write_explorer
from browser.waiting import LONG
from tests.fixtures.explorer_recordings import SOURCE, TARGET, long_recording, recording
from tests.nightly import nightly
from viz.components.attention_explorer.recording import ExplorerRecording

SAMPLE = recording()
SVG = "{http://www.w3.org/2000/svg}"


def saved(
    page: Page,
    folder: Path,
    what: str,
    sample: ExplorerRecording = SAMPLE,
    view: str = TOGETHER,
    dark: bool = False,
) -> Path:
    """Open the explorer, download something and return the file."""
    page.goto(write_explorer(folder, sample, view, dark))
    explorer(page)
    page.locator(".share .opener").click()
    with page.expect_download() as download:
        page.locator(f"[data-export={what}]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(page.locator(".status")).to_have_text("Saved to your downloads.")
    return path


def texts(path: Path) -> list[str]:
    return [node.text or "" for node in ElementTree.parse(path).iter(f"{SVG}text")]


@pytest.mark.parametrize("view", ["lines", "grid", "matrix"])
def test_svg_is_a_captioned_picture_of_the_view(page: Page, tmp_path: Path, view: str) -> None:
    link = TOGETHER.replace("lines", view) + "&aids=words-top90"
    path = saved(page, tmp_path, "svg", view=link)
    assert path.name.startswith("headlight-cross")
    assert path.name.endswith(f"-{view}.svg")
    words = " ".join(texts(path))
    for part in (
        *("Cross-attention", "Pieces merged into words", "make up 90% of each row"),
        *("English: The animal didn't cross", "L'animal n'a pas", "Checkpoint: synthetic"),
    ):
        assert part in words
    root = ElementTree.parse(path)
    drawn = {"lines": "path", "grid": "image", "matrix": "rect"}[view]
    assert len(list(root.iter(f"{SVG}{drawn}"))) >= 48
    if view != "grid":
        assert {"query: who is looking", "key: who is looked at", "didn't"} <= set(texts(path))


def test_svg_lines_are_as_opaque_as_their_weights(page: Page, tmp_path: Path) -> None:
    path = saved(page, tmp_path, "svg", view="kind=cross&layer=2&heads=8&view=lines&lock=q1")
    shown = sorted(
        float(node.attrib["stroke-opacity"]) for node in ElementTree.parse(path).iter(f"{SVG}path")
    )
    exact = sorted(weight for weight in SAMPLE.weights("cross")[1, 7, 0] if weight >= 0.02)
    assert len(shown) == pytest.approx(len(exact), abs=2)
    assert shown[-3:] == pytest.approx(exact[-3:], abs=1.1 / 255)


@pytest.mark.parametrize("view", ["lines", *nightly("grid", "matrix")])
def test_svg_is_light_and_clips_no_name_in_a_dark_theme(
    page: Page, tmp_path: Path, view: str
) -> None:
    """Names longer than the room they have on screen, 16 heads, and all texts inside."""
    long = ("▁Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau", *SOURCE[1:])
    sample = recording(long, (TARGET[0], *long[:-1]), count=16)
    link = f"kind=cross&layer=2&heads=1-2-3-4-5-6-7-8-9-10-11-12&view={view}"
    path = saved(page, tmp_path, "svg", sample, link, dark=True)
    root = ElementTree.parse(path).getroot()
    ground = next(root.iter(f"{SVG}rect"))
    assert (ground.attrib["fill"], ground.attrib["width"]) == ("#ffffff", root.attrib["width"])
    if view != "grid":
        assert {text.replace("▁", "·") for text in long} <= set(texts(path))
    page.set_viewport_size({"width": 2400, "height": 2400})
    page.goto(path.as_uri())
    outside = page.evaluate(
        """() => {
            const frame = document.documentElement.getBoundingClientRect();
            return [...document.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < frame.left || box.right > frame.right
                    || box.top < frame.top || box.bottom > frame.bottom;
            }).map(text => text.textContent);
        }"""
    )
    assert outside == []


@pytest.mark.parametrize("view", ["lines", "matrix"])
def test_svg_has_the_kept_tokens_only(page: Page, tmp_path: Path, view: str) -> None:
    link = f"kind=cross&layer=2&heads=8&view={view}&lock=q4-q10-k2-k13"
    path = saved(page, tmp_path, "svg", view=link)
    found = texts(path)
    wanted = [f"{TARGET[at]} → {TARGET[at + 1]}" for at in (3, 9)] + [SOURCE[1], SOURCE[12]]
    named = [text for text in found if text.startswith("·") or " → " in text]
    assert sorted(named) == sorted(text.replace("▁", "·") for text in wanted)
    assert "Only the chosen tokens" in found
    if view == "lines":
        weights = SAMPLE.weights("cross")[1, 7][np.ix_([3, 9], [1, 12])]
        shown = [float(one.attrib["stroke-opacity"]) for one in root_paths(path)]
        exact = sorted(weight for weight in weights.flat if weight >= 0.02)
        assert sorted(shown) == pytest.approx(exact, abs=1.1 / 255)


def root_paths(path: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(path).iter(f"{SVG}path"))


@pytest.mark.parametrize("view", ["lines", *nightly("grid", "matrix")])
def test_svg_of_128_tokens_stays_below_2000_nodes(page: Page, tmp_path: Path, view: str) -> None:
    link = f"kind=encoder&layer=2&heads=1-2-3-4-5-6-7-8&view={view}"
    path = saved(page, tmp_path, "svg", long_recording(128), link)
    assert len(list(ElementTree.parse(path).iter())) < 2000


def test_png_is_twice_the_svg(page: Page, tmp_path: Path) -> None:
    svg = ElementTree.parse(saved(page, tmp_path, "svg")).getroot()
    content = saved(page, tmp_path, "png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width == 2 * float(svg.attrib["width"])
    assert height == pytest.approx(2 * float(svg.attrib["height"]), abs=2)
    assert len(content) > 50_000


def test_csv_holds_the_numbers_of_the_view(page: Page, tmp_path: Path) -> None:
    text = saved(page, tmp_path, "csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["head"] for row in rows} == {"6", "7", "8"}
    for row in rows[::37]:
        query, key = int(row["query_number"]) - 1, int(row["key_number"]) - 1
        assert row["query"] == TARGET[query].replace("▁", "·")
        assert row["key"] == SOURCE[key].replace("▁", "·")
        exact = SAMPLE.weights("cross")[int(row["layer"]) - 1, int(row["head"]) - 1, query, key]
        assert float(row["weight"]) == pytest.approx(exact, abs=1.01 / 255)


def test_csv_of_the_grid_holds_every_head(page: Page, tmp_path: Path) -> None:
    path = saved(page, tmp_path, "csv", view="kind=encoder&view=grid")
    rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
    assert len({(row["layer"], row["head"]) for row in rows}) == 48


def test_html_opens_from_disk_without_network(page: Page, tmp_path: Path, browser: Browser) -> None:
    path = saved(page, tmp_path, "html", view=f"{TOGETHER}&lock=q9")
    context = browser.new_context(offline=True)
    asked: list[str] = []
    other = context.new_page()
    other.set_default_timeout(LONG)
    other.on("request", lambda request: asked.append(request.url))
    other.goto(path.as_uri())
    root = explorer(other)
    expect(root).to_have_attribute("data-heads", "6-7-8")
    expect(root).to_have_attribute("data-locks", "q9")
    expect(other.locator("h1")).to_have_text(SAMPLE.sentence)
    assert ink(other) > 0.0005
    other.keyboard.press("Escape")
    other.keyboard.press("1")
    settle(other)
    assert token(other, "queries", 1).inner_text().strip() == "·animal"
    other.wait_for_url("**/*kind=encoder*")
    other.locator(".share .opener").click()
    with other.expect_download() as download:  # and it can be passed on from there
        other.locator("[data-export=html]").click()
    assert download.value.suggested_filename.endswith(".html")
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    context.close()


def test_html_keeps_markup_as_text(page: Page, tmp_path: Path, browser: Browser) -> None:
    attack = "</script><img src=x onerror=document.title='owned'>"
    sample = recording((attack, *SOURCE[1:]))
    object.__setattr__(sample, "sentence", attack)
    path = saved(page, tmp_path, "html", sample, "kind=encoder&view=lines")
    other = browser.new_page()
    other.set_default_timeout(LONG)
    other.goto(path.as_uri())
    explorer(other)
    expect(other.locator("h1")).to_have_text(attack)
    expect(token(other, "queries", 0)).to_contain_text(attack)
    assert other.locator("img").count() == 0
    assert "owned" not in other.title().replace(attack, "")
    other.close()


def test_svg_keeps_markup_as_text(page: Page, tmp_path: Path) -> None:
    attack = '<img src=x onerror="document.title=1">&amp;'
    sample = recording((attack, *SOURCE[1:]))
    path = saved(page, tmp_path, "svg", sample, "kind=encoder&view=lines")
    assert attack in texts(path)
    assert not list(ElementTree.parse(path).iter(f"{SVG}img"))


def test_the_link_is_copied(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    page.locator(".share .opener").click()
    page.locator("[data-export=link]").click()
    expect(page.locator(".status")).to_have_text("Link copied.")
