"""A site for a disk: its model lies in scripts, and answers pages that are opened as files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer
from model import Translator
from tests.browser.static_host import SAVES_DATA
from tests.browser.test_site_attention import SENTENCE, typed
from viz.compute import examples, models
from viz.site import engine
from viz.site.pages import ATTENTION, STORY, Site
from viz.site.site import _assets, _page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site for a disk, of one page."""
    folder = tmp_path_factory.mktemp("disk")
    name, sentences = models.in_force(), {ATTENTION: examples.current().sentences[:1]}
    site = Site(name, sentences, {name: (STORY, ATTENTION)}, offline=True)
    (folder / engine.FOLDER).mkdir()
    for name, text in (_assets(site) | _page(site, ATTENTION)).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, content in engine.files(offline=True).items():
        (folder / name).write_bytes(content)
    return folder


def test_it_answers_for_any_sentence_from_its_files_alone(
    page: Page, folder: Path, translator: Translator
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(SAVES_DATA)
    page.goto((folder / "attention.html").as_uri())
    explorer(page)
    assert [url for url in asked if engine.FOLDER in url] == []  # first the picture
    typed(page, SENTENCE)
    translation = page.locator(".translation")
    expect(translation).to_contain_text(translator.translate(SENTENCE).text)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    scripts = [url for url in asked if engine.FOLDER in url]
    counts: list[Any] = [one["scripts"] for one in files()]
    assert len(scripts) == len(set(scripts)) == sum(counts) > len(counts)


def files() -> list[Any]:
    return list(engine.told(offline=True).values())


def without_a_script(folder: Path) -> str:
    path = next((folder / engine.FOLDER).glob("model*-1.js"))
    path.rename(path.with_suffix(".gone"))
    return f"A file of this site is missing: {path.name}"


def with_another_script(folder: Path) -> str:
    path = next((folder / engine.FOLDER).glob("tokenizer*-0.js"))
    name = path.stem.removesuffix("-0")
    path.write_text(f'headlightTake("{path.stem}", "AAAA");')
    return f"The model of this site is damaged. {name}: it cannot be inflated"


@pytest.mark.parametrize("fault", [without_a_script, with_another_script])
def test_a_fault_of_its_scripts_is_one_sentence_and_the_picture_stays(
    page: Page, folder: Path, fault: Callable[[Path], str]
) -> None:
    page.goto((folder / "attention.html").as_uri())
    root = explorer(page)
    said = fault(folder)
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    expect(page.locator("#problem")).to_have_text(said)
    expect(root).to_be_visible()
    expect(page.locator("#picture")).to_have_attribute("aria-busy", "false")
    for gone in (folder / engine.FOLDER).glob("*.gone"):
        gone.rename(gone.with_suffix(".js"))
