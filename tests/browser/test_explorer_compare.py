"""Two heads, or one head on two sentences, side by side in the explorer."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer, settle, write_explorer
from browser.waiting import rest
from model import Translator
from tests.fixtures.explorer_recordings import recording
from tests.sentences import DECIDING, TIRED_OR_WIDE

SAMPLE = recording()
TWO_HEADS = "kind=cross&layer=2&heads=8&view=compare&beside=3.5"


def point(page: Page, panel: str, row: int, column: int) -> None:
    """Put the pointer on a cell of one of the three."""
    canvas = page.locator(f"[data-panel={panel}] canvas")
    left, top, wide, high = map(float, (canvas.get_attribute("data-cells") or "").split())
    canvas.hover(position={"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high})
    settle(page)


def read(page: Page) -> list[float]:
    """Read the first and the second weight and their difference off the screen."""
    texts: list[str] = page.locator(".value-read").all_inner_texts()
    return [float(text.replace("\N{MINUS SIGN}", "-")) for text in texts]


def ink_of(canvas: Locator) -> str:
    return canvas.evaluate("node => node.toDataURL()")


def test_pointing_at_a_cell_of_one_head_reads_it_in_both(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, TWO_HEADS))
    explorer(page)
    captions = page.locator(".panels figcaption")
    expect(captions).to_have_text(["cross 2.8", "cross 3.5", "The first minus the second"])
    weights = SAMPLE.weights("cross")
    for panel, row, column in (("first", 3, 5), ("second", 9, 1), ("difference", 0, 0)):
        before = [ink_of(canvas) for canvas in page.locator(".panels canvas").all()]
        point(page, panel, row, column)
        expect(page.locator(".compare")).to_have_attribute("data-cell", f"{row} {column}")
        one, other = weights[1, 7, row, column], weights[2, 4, row, column]
        assert read(page) == pytest.approx([one, other, one - other], abs=0.01)
        after = [ink_of(canvas) for canvas in page.locator(".panels canvas").all()]
        assert all(was != now for was, now in zip(before, after, strict=True))


def test_another_head_is_chosen_and_stands_in_the_link(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=cross&layer=2&heads=8&view=lines"))
    explorer(page)
    page.keyboard.press("c")
    captions = page.locator(".panels figcaption")
    expect(captions.nth(1)).to_have_text("cross 2.1")
    expect(page.get_by_role("button", name="another sentence")).to_have_count(0)
    board = page.get_by_role("group", name="The other head")
    expect(board).to_have_count(0)  # the matrices come first
    page.get_by_role("button", name="cross 2.1").click()
    board.locator("[data-place='cross 6.3']").click()
    board.locator("[data-place='cross 6.3']").press("ArrowRight")
    expect(captions.nth(1)).to_have_text("cross 6.4")
    expect(board.locator("[aria-pressed='true']")).to_have_attribute("title", "cross 6.4")
    page.wait_for_url("**/*beside=6.4*")
    page.reload()
    explorer(page)
    expect(captions.nth(1)).to_have_text("cross 6.4")


def test_the_numbers_of_the_comparison_are_saved(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, TWO_HEADS))
    explorer(page)
    page.get_by_role("button", name=re.compile("^Share")).click()
    with page.expect_download() as download:
        page.locator("[data-export=csv]").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == '"query","key","cross 2.8","cross 3.5","difference"'
    assert len(lines) == 1 + SAMPLE.weights("cross")[0, 0].size
    first, second, difference = map(float, lines[1].rsplit(",", 3)[1:])
    assert difference == pytest.approx(first - second, abs=2e-4)
    with page.expect_download() as picture:
        page.locator("[data-export=svg]").click()
    assert Path(picture.value.path()).read_text(encoding="utf-8").count("<image") == 3


def test_the_same_head_on_another_sentence_with_the_difference(
    page: Page, app: str, translator: Translator
) -> None:
    page.goto(f"{app}/attention")
    root = explorer(page)
    rest(page)
    page.get_by_role("button", name="Compare").first.click()
    page.get_by_role("button", name="another sentence").click()
    box = page.get_by_label("The other sentence")
    expect(box).to_have_value(TIRED_OR_WIDE.first)
    box.fill(TIRED_OR_WIDE.second)
    box.press("Enter")
    expect(page).to_have_url(re.compile("second=.*wide"))
    captions = page.locator(".panels figcaption")
    expect(captions).to_have_text(
        ["This sentence", "The other sentence", "The first minus the second"]
    )
    found: list[float] = []
    for sentence in (TIRED_OR_WIDE.first, TIRED_OR_WIDE.second):
        one = translator.record(sentence)
        row, column = (one.source_tokens.index(piece) for piece in ("▁it", "▁animal"))
        found.append(float(one.attention("encoder")[5, 3, row, column]))
    said = page.locator(".picture .said")
    expect(said).to_contain_text(re.compile(r"From it\b"))
    expect(said).to_contain_text("animal")
    assert read(page) == pytest.approx([*found, found[0] - found[1]], abs=0.01)
    page.go_back()
    expect(root).to_have_attribute("data-view", "compare")
    expect(captions.first).to_have_text(DECIDING)


def test_beside_each_other_the_three_stand_in_one_row(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 760, "height": 900})
    page.goto(write_explorer(tmp_path, SAMPLE, TWO_HEADS))
    explorer(page)
    canvases = page.locator(".panels canvas")
    expect(canvases).to_have_count(3)
    boxes = [canvas.bounding_box() for canvas in canvases.all()]
    assert len({round(box["y"]) for box in boxes if box}) == 1
