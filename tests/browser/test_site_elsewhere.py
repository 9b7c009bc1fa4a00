"""The site of a model made elsewhere: its pages open, and it translates in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.explorer_file import explorer
from model import AblateHead, Translator
from model.interventions import link_text
from tests.browser.static_host import PHONE, hosted
from tests.browser.test_site import drawn
from tests.browser.test_site_attention import answered, asked, typed
from tests.fixtures.marian_folder import SENTENCES, TINY, write_marian
from viz.compute import models, translators
from viz.site.site import write_site

APART = TINY | {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False}
"""The target has pieces of its own, and the output a matrix."""

TYPED = SENTENCES[3]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Translator]:
    """The model, in force."""
    folder = write_marian(tmp_path_factory.mktemp("elsewhere") / "opus-mt-en-xx", APART)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(models.NAMED_AT_START, str(folder))
        yield translators.loaded(folder.name)


def written(own: Translator, folder: Path, *, offline: bool) -> Path:
    write_site(folder, tell=lambda _said: None, names=[own.name], offline=offline)
    return folder


@pytest.fixture(scope="module")
def host(own: Translator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hosted") / "site"
    with hosted(written(own, folder, offline=False)) as address:
        yield address


def translates_and_cuts(page: Page, place: str, own: Translator) -> None:
    """Type a sentence, and switch the head on screen off: the translations are Python's."""
    page.goto(f"{place}/attention.html")
    explorer(page)
    typed(page, TYPED)
    translation = page.locator(".translation")
    expect(translation).to_contain_text(own.translate(TYPED).text)
    page.locator("[data-link=off]").click()
    answered(page)
    (change,) = link_text.read(asked(page)["edits"]).interventions
    assert isinstance(change, AblateHead)
    expect(translation).to_contain_text(own.run(TYPED, (change,)).translation.text)
    expect(page.locator("#changes .chip")).to_have_count(1)


def test_it_translates_what_is_typed_and_a_head_is_cut(
    page: Page, host: str, own: Translator
) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    translates_and_cuts(page, host, own)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_the_menu_of_targets_asks_for_another_language(
    page: Page, host: str, own: Translator
) -> None:
    language = own.tokenizer.languages[-1]
    page.goto(f"{host}/attention.html")
    explorer(page)
    typed(page, TYPED)
    page.locator("#targets").focus()
    page.locator("#targets").select_option(language)
    answered(page)
    asked_for = f"{language} {TYPED}"
    assert asked(page)["sentence"] == asked_for
    expect(page.locator("#sentence")).to_have_value(asked_for)
    expect(page.locator(".translation")).to_contain_text(own.translate(asked_for).text)
    page.go_back()
    expect(page.locator("#targets")).to_have_value("")
    expect(page.locator("#sentence")).to_have_value(TYPED)


def test_it_does_the_same_from_a_disk(page: Page, own: Translator, tmp_path: Path) -> None:
    translates_and_cuts(page, written(own, tmp_path / "site", offline=True).as_uri(), own)


@pytest.mark.parametrize("language", ["", "zh/"])
def test_every_page_of_it_opens_and_answers(page: Page, host: str, language: str) -> None:
    page.goto(f"{host}/{language}attention.html")
    links = page.locator("header nav a").evaluate_all("links => links.map(one => one.href)")
    assert len(links) > 4
    for link in links:
        page.goto(link)
        name = link.split("/")[-1].removesuffix(".html")
        drawn(page, name)
        if name == "index":  # the story has no box for a sentence
            continue
        page.locator("#sentence").fill(TYPED)
        page.locator("#sentence").press("Enter")
        page.wait_for_function(
            "text => new URL(location).searchParams.get('sentence') === text", arg=TYPED
        )
        expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible()
        expect(page.locator("#problem")).to_be_hidden()
        assert page.locator("#look").inner_text() == ""
