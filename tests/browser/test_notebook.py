"""The explorer as one frame inside a notebook: offline, in the notebook's colours."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.explorer_recordings import SOURCE, heads
from viz.notebook import explorer

GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(14, 17, 23)"}
NOTEBOOKS = {  # how each says that it is light or dark
    ("Jupyter", "light"): '<html><body data-jp-theme-light="true">',
    ("Jupyter", "dark"): '<html><body data-jp-theme-light="false">',
    ("VS Code", "light"): '<html><body data-vscode-theme-kind="vscode-light">',
    ("VS Code", "dark"): '<html><body data-vscode-theme-kind="vscode-dark">',
    ("Colab", "light"): '<html theme="light"><body>',
    ("Colab", "dark"): '<html theme="dark"><body>',
}
NO_NETWORK = (
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'unsafe-inline' data:\">"
)


@pytest.mark.parametrize(("name", "theme"), NOTEBOOKS)
def test_a_frame_shows_the_kinds_that_there_are(
    page: Page, tmp_path: Path, name: str, theme: Literal["light", "dark"]
) -> None:
    """The browser itself asks for the other theme; whatever the network had is refused."""
    page.emulate_media(color_scheme="dark" if theme == "light" else "light")
    weights = heads(3, 12, len(SOURCE), len(SOURCE), seed=4)
    made = explorer.from_arrays(encoder=weights, source=SOURCE, name="a model")
    path = tmp_path / "notebook.html"
    start = f"<!doctype html>{NO_NETWORK}{NOTEBOOKS[name, theme]}"
    path.write_text(f"{start}{made._repr_html_()}", encoding="utf-8")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    inside = page.frame_locator("iframe")
    root = inside.locator(".explorer")
    expect(root).to_have_attribute("data-painted", re.compile(r"\d"))
    expect(inside.locator("body")).to_have_css("background-color", GROUNDS[theme])
    expect(inside.locator(".toolbar .segmented").first.locator("button")).to_have_text(["Encoder"])
    expect(inside.locator(".translation")).to_be_hidden()
    inside.locator(".queries li").nth(2).hover()
    expect(root).to_have_attribute("data-hovered", '{"side":"q","index":2}')
    inside.get_by_role("button", name="Matrix").click()
    expect(root).to_have_attribute("data-view", "matrix")
    inside.locator(".share > button").click()
    expect(inside.locator("[data-export=link]")).to_have_count(0)
    expect(inside.locator("[data-export=svg]")).to_be_visible()
    assert errors == []
