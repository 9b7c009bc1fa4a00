"""Heads and layers merged into one, by mean or maximum, and named as what they are."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from browser.explorer_file import TOGETHER, explorer, settle, write_explorer
from tests.browser.test_explorer_choices import number, switch
from tests.browser.test_explorer_exports import saved, texts
from tests.fixtures.explorer_recordings import recording

SAMPLE = recording()
CROSS = SAMPLE.weights("cross")[:, [5, 6, 7]]  # L 3 T S
MATRIX = TOGETHER.replace("lines", "matrix")


def table(path: Path) -> tuple[set[tuple[str, str]], NDArray[np.float64]]:
    """Read what a CSV says of layer and head, and its weights (T, S)."""
    found, named = np.zeros(CROSS.shape[2:]), set[tuple[str, str]]()
    for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))):
        named.add((row["layer"], row["head"]))
        found[int(row["query_number"]) - 1, int(row["key_number"]) - 1] = float(row["weight"])
    return named, found


@pytest.mark.parametrize(
    ("aids", "named", "expected", "note"),
    [
        ("", ("2", "mean of 6 7 8"), CROSS[1].mean(0), "Mean of heads 6\N{EN DASH}8"),
        ("max", ("2", "max of 6 7 8"), CROSS[1].max(0), "Maximum of heads 6\N{EN DASH}8"),
        ("layers", ("all", "mean of 6 7 8"), CROSS.mean((0, 1)), "in all 6 layers"),
        (
            "max-layers",
            ("all", "max of 6 7 8"),
            CROSS.max((0, 1)),
            "Maximum of heads 6\N{EN DASH}8 in",
        ),
    ],
)
def test_numbers_and_names_of_what_is_merged(
    page: Page,
    tmp_path: Path,
    aids: str,
    named: tuple[str, str],
    expected: NDArray[np.float32],
    note: str,
) -> None:
    said, found = table(saved(page, tmp_path, "csv", view=f"{MATRIX}&aids={aids}"))
    assert said == {named}
    np.testing.assert_allclose(found, expected, rtol=0, atol=1.1 / 255)
    expect(page.locator(".note")).to_contain_text(note)
    expect(page.locator(".title")).to_contain_text(
        "all 6 layers" if "layers" in aids else "layer 2"
    )
    assert any(
        note in text for text in texts(saved(page, tmp_path, "svg", view=f"{MATRIX}&aids={aids}"))
    )


def test_merging_is_chosen_in_the_panel_kept_in_the_link_and_undone(
    page: Page, tmp_path: Path
) -> None:
    page.goto(write_explorer(tmp_path, SAMPLE, TOGETHER))
    explorer(page)
    switch(page, "merge", "max")
    switch(page, "layers", True)
    page.wait_for_url("**/*aids=max-layers*")
    first = page.locator(".links tbody tr").first.locator("td")
    assert first.nth(2).inner_text() == "max"
    page.mouse.move(1, 1)  # the table is of no single token then
    settle(page)
    assert float(first.nth(3).inner_text()) == pytest.approx(CROSS.max(), abs=0.01)
    page.locator(".aids .opener").click()
    page.get_by_role("button", name="Switch all off").click()
    expect(page.locator(".note")).to_have_count(0)
    assert first.nth(2).inner_text() in ("6", "7", "8")


def test_one_head_of_all_layers_is_merged_too(page: Page, tmp_path: Path) -> None:
    link = "kind=cross&layer=2&heads=6&view=lines&aids=layers&lock=q3-k2-k5"
    page.goto(write_explorer(tmp_path, SAMPLE, link))
    explorer(page)
    said = page.locator(".side").get_by_text("together")
    expect(said).to_contain_text("(Mean of heads 6 in all 6 layers)")
    expected = SAMPLE.weights("cross")[:, 5, 2][:, [1, 4]].sum(axis=1).mean()
    assert number(said) == pytest.approx(expected, abs=0.02)
