from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import (
    TOGETHER,
    cell_place,
    colour_at,
    explorer,
    ink,
    settle,
    token,
    write_explorer,
)
from tests.fixtures.explorer_recordings import SOURCE, TARGET, long_recording, recording

SAMPLE = recording()
HEADS = [5, 6, 7]  # of layer 2, as in TOGETHER
NEAR = 0.006 + 1 / 255  # two decimals, and one step of the message


def test_lines_are_drawn_and_hovering_leaves_only_a_tokens_own(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    before = ink(page)
    assert before > 0.02
    token(page, "queries", 8).hover()
    settle(page)
    assert 0.0005 < ink(page) < before / 3


@pytest.mark.parametrize("side", ["queries", "keys"])
def test_hovering_writes_the_weight_of_each_target(page: Page, tmp_path: Path, side: str) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    token(page, side, 8).hover()
    settle(page)
    mean = SAMPLE.weights("cross")[1, HEADS].mean(axis=0)
    exact = mean[8] if side == "queries" else mean[:, 8]
    other = "keys" if side == "queries" else "queries"
    shown = page.locator(f".{other} .value").all_text_contents()
    assert len(shown) == len(exact)
    for text, weight in zip(shown, exact, strict=True):
        assert float(text or 0) == pytest.approx(weight, abs=NEAR)
    assert any(shown)
    expect(page.locator(".figures-note")).to_contain_text("mean of heads 6\N{EN DASH}8")


def test_click_locks_shift_click_adds_and_escape_frees(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    root = explorer(page)
    token(page, "queries", 3).click()
    expect(root).to_have_attribute("data-locks", "q4")
    token(page, "keys", 5).click(modifiers=["Shift"])
    expect(root).to_have_attribute("data-locks", "q4-k6")
    expect(token(page, "queries", 3)).to_have_attribute("aria-selected", "true")
    page.mouse.move(1, 1)
    settle(page)
    locked = ink(page)
    page.keyboard.press("Escape")
    expect(root).to_have_attribute("data-locks", "")
    settle(page)
    assert ink(page) > locked * 1.5


def test_a_click_on_the_only_locked_token_frees_it(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    root = explorer(page)
    token(page, "keys", 2).click()
    expect(root).to_have_attribute("data-locks", "k3")
    token(page, "keys", 2).click()
    expect(root).to_have_attribute("data-locks", "")


def test_decoder_rows_name_the_input_and_the_prediction(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    assert token(page, "queries", 0).get_attribute("aria-label") == "<s> → ·L"
    assert token(page, "queries", 3).get_attribute("aria-label") == "animal → ·n"
    assert page.locator(".keys .token").all_inner_texts()[1].strip() == "·animal"


def test_query_and_key_are_named_in_every_view(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    expect(page.locator(".columns .query-name")).to_have_text("query: who is looking")
    expect(page.locator(".columns .key-name")).to_have_text("key: who is looked at")
    page.keyboard.press("g")
    expect(page.locator(".preview .query-name")).to_have_text("query: who is looking")
    expect(page.locator(".preview .key-name")).to_have_text("key: who is looked at")
    page.keyboard.press("m")
    settle(page)
    label = page.locator(".matrix canvas").get_attribute("aria-label") or ""
    assert "Rows: query, who is looking" in label


def test_matrix_reads_the_cell_under_the_pointer(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&layer=3&heads=4&view=matrix"))
    explorer(page)
    x, y = cell_place(page, 4, 5)
    page.locator(".matrix canvas").hover(position={"x": x, "y": y})
    settle(page)
    text = page.locator(".readout").inner_text()
    assert text.startswith("' looks at t")
    shown = float(text.split("weight ")[1].split()[0])
    assert shown == pytest.approx(SAMPLE.weights("encoder")[2, 3, 4, 5], abs=NEAR)
    assert "adds up to 1.00" in text


def test_matrix_tells_hidden_cells_from_weights_of_zero(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=decoder&layer=1&heads=1&view=matrix"))
    explorer(page)
    expect(page.locator(".hidden-key")).to_be_visible()
    x, y = cell_place(page, 4, 5)
    page.locator(".matrix canvas").hover(position={"x": x, "y": y})
    expect(page.locator(".readout")).to_contain_text("hidden by the look-ahead mask")
    x, y = cell_place(page, 4, 4)
    page.locator(".matrix canvas").hover(position={"x": x, "y": y})
    expect(page.locator(".readout")).to_contain_text("adds up to 1.00")
    page.keyboard.press("1")
    expect(page.locator(".hidden-key")).to_be_hidden()


def test_keys_move_the_crosshair(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&layer=3&heads=4&view=matrix"))
    root = explorer(page)
    page.locator(".matrix canvas").focus()
    for key in ("Down", "Down", "Right", "Up"):
        page.keyboard.press(f"Shift+Arrow{key}")
        settle(page)
    expect(root).to_have_attribute("data-hovered", '{"row":0,"column":1}')
    expect(root).to_have_attribute("data-layer", "3")
    page.locator(".matrix canvas").evaluate("canvas => canvas.blur()")
    for key in ("Down", "Right"):
        page.keyboard.press(f"Shift+Arrow{key}")
        settle(page)
    expect(root).to_have_attribute("data-layer", "3")
    expect(root).to_have_attribute("data-heads", "4")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_matrix_colours_follow_the_weights(page: Page, tmp_path: Path, dark: bool) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&layer=1&heads=3&view=matrix", dark))
    explorer(page)
    weights = SAMPLE.weights("encoder")[0, 2]
    lights = []
    for at in (weights.argmax(), weights.argmin()):
        row, column = np.unravel_index(at, weights.shape)
        lights.append(
            sum(colour_at(page, ".matrix canvas", *cell_place(page, int(row), int(column))))
        )
    assert (lights[0] > lights[1] + 150) if dark else (lights[0] < lights[1] - 150)


def test_grid_shows_every_head_and_a_larger_one_under_the_pointer(
    page: Page, tmp_path: Path
) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&layer=2&heads=1&view=grid"))
    root = explorer(page)
    thumbs = page.locator(".thumb")
    expect(thumbs).to_have_count(48)
    expect(thumbs.nth(9)).to_contain_text("2.2")
    page.mouse.move(1, 1)
    picture = "canvas => canvas.toDataURL()"
    before = page.locator(".preview canvas").evaluate(picture)
    thumbs.nth(20).hover()
    settle(page)
    assert page.locator(".preview canvas").evaluate(picture) != before
    expect(page.locator(".links caption")).to_have_text("Strongest links: encoder 3.5")
    expect(page.locator(".preview-name")).to_have_text("encoder 3.5")
    thumbs.nth(20).click()
    expect(root).to_have_attribute("data-layer", "3")
    expect(root).to_have_attribute("data-heads", "5")
    page.keyboard.press("l")
    expect(page.locator(".title")).to_have_text("Encoder self-attention, encoder 3.5")


def test_grid_shows_every_layer_where_there_is_little_room(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 780, "height": 600})
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&view=grid"))
    explorer(page)
    assert page.locator(".frame").evaluate("f => f.scrollHeight <= f.clientHeight")


def test_grid_sorts_heads_by_what_they_do(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, "kind=encoder&view=grid"))
    explorer(page)
    page.locator("[data-order]").select_option("previous")
    settle(page)
    badges = [float(text) for text in page.locator(".badge").all_inner_texts()]
    assert badges == sorted(badges, reverse=True)
    rows = np.arange(1, len(SOURCE))
    shares = SAMPLE.weights("encoder")[:, :, rows, rows - 1].mean(axis=-1)
    assert badges[0] == pytest.approx(shares.max(), abs=0.006)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    expect(page.locator(".thumb-name").first).to_have_text(f"{layer + 1}.{head + 1}")


def test_table_lists_the_strongest_links(page: Page, tmp_path: Path) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE))
    explorer(page)
    head, row, column = np.unravel_index(
        SAMPLE.weights("cross")[1, HEADS].argmax(), SAMPLE.weights("cross")[1, HEADS].shape
    )
    first = page.locator(".links tbody tr").first.locator("td").all_inner_texts()
    assert first[2] == str(HEADS[head] + 1)
    assert float(first[3]) == pytest.approx(SAMPLE.weights("cross")[1, HEADS].max(), abs=NEAR)
    assert first[0].startswith(TARGET[row].replace("▁", "·"))
    assert first[1] == SOURCE[column].replace("▁", "·")


def test_kinds_have_their_own_layer_and_head_counts(page: Page, tmp_path: Path) -> None:
    sample = recording(layers=(6, 2), count=4)
    page.goto(write_explorer(tmp_path, sample, "kind=encoder&layer=6&heads=4"))
    root = explorer(page)
    expect(root).to_have_attribute("data-layer", "6")
    page.keyboard.press("3")
    expect(page.locator(".stepper .opener")).to_contain_text("of 2")
    page.keyboard.press("g")
    expect(page.locator(".thumb")).to_have_count(8)
    page.keyboard.press("1")
    expect(root).to_have_attribute("data-layer", "6")
    expect(page.locator(".thumb")).to_have_count(24)


@pytest.mark.parametrize("view", ["lines", "grid", "matrix"])
def test_128_tokens_a_side_stay_usable(page: Page, tmp_path: Path, view: str) -> None:
    page.goto(write_explorer(tmp_path, long_recording(128), TOGETHER.replace("lines", view)))
    explorer(page)
    assert page.locator(".explorer *").count() < 3000
    if view == "lines":
        last = token(page, "queries", 127)
        last.scroll_into_view_if_needed()
        expect(last).to_contain_text("·t126")
        drawn = "token => token.innerText.startsWith('·t126')"  # a frame after it is in view
        page.wait_for_function(drawn, arg=last.element_handle())
        assert page.locator(".frame").evaluate("f => f.scrollHeight > f.clientHeight")
        assert ink(page) > 0.01


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_file_says_which_theme_it_has(page: Page, tmp_path: Path, dark: bool) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, dark=dark))
    assert ("dark" in (explorer(page).get_attribute("class") or "")) == dark
