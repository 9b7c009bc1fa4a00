"""Writing the translation on the site: any sentence, any piece, beam and sampling, by the model."""

import math
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from model import Translator
from model.decoding.beam import Beam
from tests.browser.decoder import bars, settled
from tests.browser.static_host import PHONE
from tests.browser.test_site_attention import SENTENCE, asked
from tests.sentences import TIRED_OR_WIDE
from viz.compute import decodes
from viz.compute.runs import Subject


def answered(page: Page) -> Locator:
    """Return the decoder once the model has answered."""
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible()
    return settled(page)


def test_a_piece_is_forced_and_a_link_brings_it_back(
    page: Page, host: str, translator: Translator
) -> None:
    page.goto(f"{host}/decoder.html")
    root = settled(page)
    step = int(root.get_attribute("data-step") or 0)
    choices = decodes.decode(Subject(TIRED_OR_WIDE.first)).choices
    choice = choices[step - 1]
    assert bars(root)[:3] == pytest.approx(
        [math.exp(one.log_prob) for one in choice.alternatives[:3]], abs=1e-4
    )
    other = next(one for one in choice.alternatives if one.id != choice.chosen.id)
    root.locator(f"button.bar[data-id='{other.id}']").click()
    answered(page)
    forced = [*(one.chosen.id for one in choices[: step - 1]), other.id]
    wanted = translator.run(TIRED_OR_WIDE.first, forced=forced).translation.text
    branch = root.locator(".branch[data-branch='1']")
    expect(branch).to_contain_text(wanted)
    page.reload()
    answered(page)
    expect(branch).to_contain_text(wanted)
    root.locator(".remove").click()
    expect(root.locator(".branch")).to_have_count(1)
    page.wait_for_url(lambda url: "branches" not in url)


def test_any_sentence_is_written_by_any_strategy(
    page: Page, host: str, translator: Translator
) -> None:
    page.goto(f"{host}/decoder.html")
    settled(page)
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    root = page.locator(".decoder")
    expect(root.locator(".branch[data-branch='0']")).to_contain_text(
        translator.translate(SENTENCE).text,
    )
    page.locator(".segmented button", has_text="Beam").first.click()
    page.wait_for_url("**/*strategy=beam*")
    answered(page)
    expect(root.locator(".branch[data-branch='0']")).to_contain_text(
        translator.translate(SENTENCE, strategy=Beam(4)).text
    )
    page.locator(".tabs button", has_text="Beam tree").click()
    expect(root.locator("svg.tree g.node").nth(5)).to_be_visible()
    page.locator(".segmented button", has_text="Sampling").first.click()
    page.wait_for_url("**/*strategy=sampling*")
    answered(page)
    expect(root).to_have_attribute("data-strategy", "sampling")


def test_a_typed_piece_is_forced_or_refused_in_a_sentence(page: Page, host: str) -> None:
    page.goto(f"{host}/decoder.html?{urlencode({'sentence': SENTENCE})}")
    root = answered(page)
    box = root.locator(".type input")
    box.fill("+qqzzx")
    box.press("Enter")
    expect(root.locator(".type .problem")).to_contain_text("cannot be forced")
    box.fill("chat")
    box.press("Enter")
    expect(root.locator(".branch")).to_have_count(2)
    expect(root.locator(".branch[data-branch='1']")).to_contain_text("chat")


def test_a_head_is_switched_off_in_place(page: Page, host: str, translator: Translator) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    says = {"sentence": SENTENCE, "edits": "zero.c.5_mean.c.6.1-8"}
    page.goto(f"{host}/decoder.html?{urlencode(says)}")
    root = answered(page)
    expect(page.locator("#notes")).to_contain_text("zero.c.5")
    expect(page.locator("#changes .chip")).to_have_count(1)
    root.locator("[data-link=off]").click()
    page.wait_for_url("**/*zero.c*")
    answered(page)
    expect(root.locator(".found")).to_contain_text("is switched off")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator("#changes")).to_be_hidden()
    answered(page)
    expect(root.locator(".branch[data-branch='0']")).to_contain_text(
        translator.translate(SENTENCE).text
    )
    assert "edits" not in asked(page)


def test_pieces_that_do_not_exist_are_said(page: Page, host: str) -> None:
    page.goto(f"{host}/decoder.html?{urlencode({'sentence': SENTENCE, 'branches': '999999'})}")
    expect(page.locator("#problem")).to_contain_text("pieces that this model does not have")
    expect(page.locator(".decoder")).to_be_visible()
