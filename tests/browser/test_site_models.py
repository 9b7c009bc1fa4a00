"""Several models on a site: a visitor chooses, and links name the model as in the app."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer
from tests.browser.static_host import hosted
from tests.browser.test_site import READY
from tests.browser.test_site_attention import answered, asked
from viz.compute import examples, models, translators
from viz.site.site import write_site

OTHER = "zh-en"
PLACE = f"/models/{OTHER}/"
SENTENCE = "我喜欢这本书。"
ENGLISH = "My grandmother sings."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two models."""
    folder = tmp_path_factory.mktemp("models") / "site"
    write_site(folder, tell=lambda _said: None, names=["en-fr", OTHER])
    return folder


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    with hosted(folder) as address:
        yield address


@pytest.fixture
def requests(page: Page) -> Sequence[str]:
    """The addresses that the page asks for."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    return addresses


def test_a_model_is_chosen_in_the_header_and_only_that_one_is_fetched(
    page: Page, host: str, requests: Sequence[str]
) -> None:
    page.goto(f"{host}/attention.html?{urlencode({'sentence': ENGLISH})}")
    answered(page)
    page.get_by_label("Model", exact=True).select_option(OTHER)
    page.wait_for_url(f"**{PLACE}attention.html?*")
    assert asked(page) == {"model": OTHER, "sentence": ENGLISH}  # what somebody typed comes along
    answered(page)
    page.goto(f"{host}{PLACE}attention.html")
    explorer(page)
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    page.wait_for_url(f"**{quote(SENTENCE)}*")
    answered(page)
    translation = translators.loaded(OTHER).translate(SENTENCE).text
    expect(page.locator(".translation")).to_contain_text(translation)
    weights = [url for url in requests if "model.safetensors" in url]
    assert [PLACE in url for url in weights] == [False, True]


def test_an_example_stays_with_its_model(page: Page, host: str) -> None:
    with models.using(OTHER):
        examples_of_other = examples.current().texts
    link = urlencode({"model": OTHER, "sentence": examples_of_other[1]})
    page.goto(f"{host}/attention.html?{link}")
    expect(page.locator("#sentence")).to_have_value(examples_of_other[1])
    page.get_by_label("Model", exact=True).select_option("en-fr")
    page.wait_for_url(f"{host}/attention.html")
    expect(page.locator("#sentence")).to_have_value(examples.current().texts[0])


def test_a_link_of_the_app_leads_to_the_page_of_its_model(page: Page, host: str) -> None:
    view = {"model": OTHER, "sentence": SENTENCE, "kind": "cross", "layer": "2", "head": "3"}
    page.goto(f"{host}/attention.html?{urlencode(view)}")
    page.wait_for_url(f"**{PLACE}attention.html?*")
    answered(page)
    now = asked(page)
    assert {name: now[name] for name in ("model", "sentence", "kind", "layer")} == {
        name: view[name] for name in ("model", "sentence", "kind", "layer")
    }
    page.locator("header nav a", has_text="One head").click()
    page.wait_for_url(f"**{PLACE}head.html?*")
    assert asked(page)["model"] == OTHER


def test_a_page_that_the_other_model_lacks_leads_to_its_first(page: Page, host: str) -> None:
    page.goto(f"{host}/learning.html?model={OTHER}")
    page.wait_for_url(f"**{PLACE}index.html?model={OTHER}")
    expect(page.locator(READY["index"])).to_be_visible()


@pytest.mark.parametrize("name", ["attention", "index"])
def test_a_model_that_is_not_there_is_said(page: Page, host: str, name: str) -> None:
    page.goto(f"{host}/{name}.html?model=%3Cb%3Enowhere")
    place = page.locator("#notes" if name == "attention" else "#problem")
    expect(place).to_have_text("There is no model called '<b>nowhere' here; this is en-fr.")
    expect(page.locator(READY[name])).to_be_visible()


@pytest.mark.parametrize(("language", "width"), [("", 1440), ("zh/", 390)])
def test_every_page_of_the_other_model_opens_in_both_languages(
    page: Page, host: str, folder: Path, language: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path in sorted((folder / "models" / OTHER / language).glob("*.html")):
        page.goto(f"{host}{PLACE}{language}{path.name}")
        expect(page.locator(READY[path.stem])).to_be_visible()
        expect(page.locator("#problem")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
        assert asked(page)["model"] == OTHER
