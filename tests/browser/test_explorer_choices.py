"""Heads, keys, reading aids and links of the explorer."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import TOGETHER, cell_place, explorer, settle, token, write_explorer
from tests.fixtures.explorer_recordings import SOURCE, TARGET, recording

SAMPLE = recording()


def opened(page: Page, folder: Path, view: str = TOGETHER) -> Locator:
    page.goto(write_explorer(folder, SAMPLE, view))
    return explorer(page)


def row_sum(page: Page, row: int) -> float:
    """Read the sum of a row of the matrix off the screen."""
    x, y = cell_place(page, row, 1)
    page.locator(".matrix canvas").hover(position={"x": x, "y": y})
    settle(page)
    return float(page.locator(".readout").inner_text().split("adds up to ")[1])


def switch(page: Page, aid: str, value: str | bool) -> None:
    """Set a reading aid in its panel and close the panel."""
    page.locator(".aids .opener").click()
    control = page.locator(f"[data-aid={aid}]")
    control.select_option(value) if isinstance(value, str) else control.set_checked(value)
    page.keyboard.press("Escape")
    settle(page)


def test_a_click_switches_a_head_and_the_last_one_stays_on(page: Page, tmp_path: Path) -> None:
    root = opened(page, tmp_path)
    page.get_by_label("Head 7").click()
    expect(root).to_have_attribute("data-heads", "6-8")
    page.get_by_label("Head 1", exact=True).click(delay=1)
    expect(root).to_have_attribute("data-heads", "1-6-8")
    for name in ("Head 1", "Head 6", "Head 8", "Head 8"):
        page.wait_for_timeout(600)  # not a double-click
        page.get_by_label(name, exact=True).click()
    expect(root).to_have_attribute("data-heads", "8")


def test_a_double_click_shows_a_head_alone_and_brings_the_others_back(
    page: Page, tmp_path: Path
) -> None:
    root = opened(page, tmp_path)
    page.get_by_label("Head 2").dblclick()
    expect(root).to_have_attribute("data-heads", "2")
    page.wait_for_timeout(600)
    page.get_by_label("Head 2").dblclick()
    expect(root).to_have_attribute("data-heads", "6-7-8")
    page.wait_for_timeout(600)
    page.get_by_label("Head 7").dblclick()
    expect(root).to_have_attribute("data-heads", "7")


def test_keys_change_layer_head_kind_and_view(page: Page, tmp_path: Path) -> None:
    root = opened(page, tmp_path)
    steps = [
        ("ArrowDown", "layer", "3"),
        ("ArrowUp", "layer", "2"),
        ("ArrowRight", "heads", "6"),
        ("ArrowRight", "heads", "7"),
        ("ArrowLeft", "heads", "6"),
        ("a", "heads", "1-2-3-4-5-6-7-8"),
        ("1", "kind", "encoder"),
        ("2", "kind", "decoder"),
        ("3", "kind", "cross"),
        ("G", "view", "grid"),
        ("m", "view", "matrix"),
        ("l", "view", "lines"),
    ]
    for key, name, value in steps:
        page.keyboard.press(key)
        expect(root).to_have_attribute(f"data-{name}", value)


def test_the_layer_stops_at_both_ends(page: Page, tmp_path: Path) -> None:
    root = opened(page, tmp_path, "kind=encoder&layer=6")
    page.keyboard.press("ArrowDown")
    settle(page)
    expect(root).to_have_attribute("data-layer", "6")
    expect(page.get_by_label("Next layer")).to_be_disabled()


def test_question_mark_lists_the_keys_and_escape_closes_the_list(
    page: Page, tmp_path: Path
) -> None:
    root = opened(page, tmp_path, f"{TOGETHER}&lock=q2")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    expect(page.locator("dialog kbd")).to_have_count(12)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    expect(root).to_have_attribute("data-locks", "q2")


def test_every_control_is_reached_by_tab_and_shows_it(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        name = page.evaluate(
            """() => {
                const now = document.activeElement;
                if (!now || now === document.body) return null;
                const outline = getComputedStyle(now).outlineStyle;
                const name = now.getAttribute('aria-label') || now.textContent.trim();
                return outline === 'none' ? `${name}: no outline` : name;
            }"""
        )
        reached.add(name)
    wanted = {"Encoder", "Decoder", "Cross", "Lines", "Grid", "Matrix", "Share", "All"}
    wanted |= {f"Head {head}" for head in range(1, 9)} | {"Reading aids, 0 on", "Keys and clicks"}
    wanted |= {"Previous layer (up key)", "Next layer (down key)", "<s> → ·L", "·The"}
    assert wanted <= reached


def test_tokens_are_moved_through_and_kept_by_key(page: Page, tmp_path: Path) -> None:
    root = opened(page, tmp_path)
    token(page, "queries", 0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    settle(page)
    expect(root).to_have_attribute("data-hovered", '{"side":"q","index":2}')
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-locks", "q3")
    expect(root).to_have_attribute("data-layer", "2")


def test_the_selection_is_carried_over_between_views(page: Page, tmp_path: Path) -> None:
    root = opened(page, tmp_path, f"{TOGETHER}&lock=q5-k7")
    for key in "gml":
        page.keyboard.press(key)
        settle(page)
        expect(root).to_have_attribute("data-locks", "q5-k7")
        expect(root).to_have_attribute("data-heads", "6-7-8")
    expect(token(page, "keys", 6)).to_have_attribute("aria-selected", "true")


def test_merging_words_sums_keys_and_averages_queries(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "kind=cross&layer=2&heads=8&view=lines")
    page.get_by_role("button", name="Words", exact=True).click()
    settle(page)
    texts = page.locator(".keys .token").all_inner_texts()
    assert [text.strip() for text in texts] == [
        *("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired"),
        *(".", "</s>"),
    ]
    expect(page.locator(".note")).to_have_text(
        "Pieces merged into words: weights on a word's pieces added up, weights from them averaged"
    )
    queries = page.locator(".queries li").evaluate_all("all => all.map(one => one.ariaLabel)")
    row = next(index for index, name in enumerate(queries) if name == "writing traversé")
    token(page, "queries", row).hover()
    settle(page)
    shown = float(page.locator(".keys .value").nth(2).inner_text() or 0)
    exact = (
        SAMPLE.weights("cross")[1, 7][7:9, 2:6].sum(axis=1).mean()
    )  # where travers é is written; did n ' t
    assert shown == pytest.approx(exact, abs=0.006 + 4 / 255)


def test_hiding_special_tokens_with_and_without_renormalising(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "kind=encoder&layer=1&heads=5&view=matrix")  # looks at </s>
    assert row_sum(page, 3) == 1
    switch(page, "hide", "hide")
    exact = 1 - SAMPLE.weights("encoder")[0, 4, 3, -1]
    assert row_sum(page, 3) == pytest.approx(exact, abs=0.01)
    assert exact < 0.9
    expect(page.locator(".note")).to_have_text("Special tokens hidden; rows sum to less than 1")
    switch(page, "hide", "renormalise")
    assert row_sum(page, 3) == 1
    expect(page.locator(".note")).to_have_text("Special tokens hidden; each row scaled to sum to 1")


def test_only_the_strongest_links_of_each_row_stay(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "kind=encoder&layer=1&heads=8&view=matrix")
    switch(page, "mass", "80")
    for row in (2, 9):
        ordered = sorted(SAMPLE.weights("encoder")[0, 7, row], reverse=True)
        count = next(n for n in range(len(ordered)) if sum(ordered[:n]) >= 0.8)
        assert row_sum(page, row) == pytest.approx(sum(ordered[:count]), abs=0.05)
        assert 0.8 - 0.01 <= row_sum(page, row) < 1
    expect(page.locator(".note")).to_contain_text("make up 80% of each row")


def test_mean_over_heads_is_one_line_and_says_so(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    switch(page, "merge", "mean")
    expect(page.locator(".note")).to_have_text("Mean of heads 6\N{EN DASH}8")
    assert page.locator(".links tbody tr").first.locator("td").nth(2).inner_text() == "mean"


def test_the_address_always_holds_the_view(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    page.keyboard.press("1")
    page.keyboard.press("m")
    page.get_by_role("button", name="Words", exact=True).click()
    page.wait_for_url("**/*aids=words")
    link = page.url
    assert "kind=encoder" in link
    assert "view=matrix" in link
    assert "aids=words" in link
    page.goto("about:blank")
    page.goto(link)
    root = explorer(page)
    expect(root).to_have_attribute("data-view", "matrix")
    expect(page.locator(".note").first).to_contain_text("Pieces merged into words")
    expect(page.locator(".notice")).to_be_hidden()


@pytest.mark.parametrize(
    "view",
    [
        "kind=sideways&layer=99&heads=0&view=cube&lock=z9&aids=magic&order=luck",
        "kind=cross&layer=-1&heads=1,2&view=<script>",
        "heads=1-99&lock=q1-k999",
    ],
)
def test_a_malformed_link_gives_defaults_and_one_notice(
    page: Page, tmp_path: Path, view: str
) -> None:
    root = opened(page, tmp_path, "view=lines")
    default = root.get_attribute("data-heads")
    page.goto("about:blank")
    root = opened(page, tmp_path, view)
    expect(page.locator(".notice")).to_have_count(1)
    expect(page.locator(".notice")).to_contain_text("could not be read")
    expect(root).to_have_attribute("data-view", "lines")
    expect(root).to_have_attribute("data-heads", default or "")
    page.locator(".notice button").click()
    expect(page.locator(".notice")).to_be_hidden()


def test_markup_in_a_token_is_text(page: Page, tmp_path: Path) -> None:
    attack = "<img src=x onerror=document.title='owned'>"
    sample = recording((attack, *SOURCE[1:]), (TARGET[0], attack, *TARGET[2:]))
    page.goto(write_explorer(tmp_path, sample, "kind=cross&view=lines"))
    explorer(page)
    for key in "12gml":
        page.keyboard.press(key)
        settle(page)
    expect(token(page, "queries", 1)).to_contain_text(attack)
    assert page.locator("img").count() == 0
    assert page.title() == sample.sentence


@pytest.mark.parametrize(("wish", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_those_who_ask_for_less_motion(
    page: Page, tmp_path: Path, wish: str, moves: bool
) -> None:
    page.emulate_media(reduced_motion="reduce" if wish == "reduce" else "no-preference")
    root = opened(page, tmp_path)
    durations = root.evaluate(
        """root => [...root.querySelectorAll('*')].flatMap((node) => {
          const style = getComputedStyle(node);
          return [style.transitionDuration, style.animationDuration].map(parseFloat);
        })"""
    )
    assert (max(durations) > 0) is moves


def test_the_weight_of_a_query_is_summed_over_the_kept_keys(page: Page, tmp_path: Path) -> None:
    sample = recording()
    page.goto(write_explorer(tmp_path, sample, "kind=cross&layer=5&heads=6&lock=q3-k2-k5-k9"))
    explorer(page)
    said = page.locator(".side").get_by_text("together")
    expect(said).to_contain_text("' → animal gives ·animal + ' + ·street")
    rows = sample.weights("cross")[4, :, 2][:, [1, 4, 8]].sum(axis=1)  # H
    assert number(said) == pytest.approx(rows[5], abs=0.02)  # each weight is sent in 255 steps
    page.locator(".chip").nth(2).click()
    expect(said).to_contain_text("(Mean of heads 3, 6)")
    assert number(said) == pytest.approx(rows[[2, 5]].mean(), abs=0.02)


def number(said: Locator) -> float:
    """Read the sum in what is said of the kept keys."""
    found = re.search(r"(\d\.\d\d) together", said.inner_text())
    assert found
    return float(found[1])


def test_what_is_taken_multiplies_each_weight_by_the_length_of_its_value(
    page: Page, tmp_path: Path
) -> None:
    weights = {kind: SAMPLE.weights(kind) for kind in SAMPLE.kinds}
    rng = np.random.default_rng(2)
    lengths = {
        kind: rng.uniform(1, 9, (*own.shape[:2], own.shape[3])).astype(np.float32)
        for kind, own in weights.items()
    }
    given = replace(SAMPLE, lengths=lengths)
    page.goto(
        write_explorer(tmp_path, given, "kind=encoder&layer=1&heads=5&view=matrix&aids=taken")
    )
    explorer(page)
    shares = lengths["encoder"][0, 4] / lengths["encoder"][0, 4].max()
    assert row_sum(page, 3) == pytest.approx(float(weights["encoder"][0, 4, 3] @ shares), abs=0.02)
    expect(page.locator(".note")).to_contain_text("What is taken")
    switch(page, "taken", False)
    assert row_sum(page, 3) == 1


def test_what_is_taken_is_not_offered_without_lengths_of_values(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, "kind=encoder&layer=1&heads=5&view=matrix&aids=taken")
    assert row_sum(page, 3) == 1
    page.locator(".aids .opener").click()
    expect(page.locator("[data-aid=rowScale]")).to_be_visible()
    expect(page.locator("[data-aid=taken]")).to_be_hidden()
