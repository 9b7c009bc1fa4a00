"""Break it on the site: heads of any sentence are switched off, and its translation follows."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model import Translator
from model.interventions import link_text
from model.interventions.heads import AblateHead
from model.sites.sites import KINDS
from tests.browser.static_host import PHONE
from tests.browser.test_site_attention import SENTENCE, asked
from viz.compute import effects
from viz.effect.moved import most_moved
from viz.language.text import languages


def settled(page: Page) -> None:
    expect(page.locator("#picture[aria-busy=false]")).to_be_visible()


def after(page: Page) -> str:
    """Return the changed translation that the page shows."""
    return page.locator(".outcome .line.after .text").inner_text()


def test_heads_are_switched_off_and_on_again(page: Page, host: str, translator: Translator) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/lab_heads.html")
    expect(page.locator(".outcome.foreseen .said")).to_contain_text("If you press")
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    board = page.locator(".heads-board .board").nth(2)
    board.get_by_role("button", name="cross 5.3", exact=False).first.click()
    expect(page.locator("#changes .chip")).to_have_count(1)
    settled(page)
    (change,) = link_text.read(asked(page)["edits"]).interventions
    assert change == AblateHead("cross", 4, 2)
    assert after(page) == translator.run(SENTENCE, (change,)).translation.text
    page.locator(".choices [data-value=mean]").click()
    expect(page.locator("#changes .chip")).to_contain_text("mean output")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.locator("#changes .chip").click()
    expect(page.locator("#changes")).to_be_hidden()


def test_experiments_are_found_by_measuring(page: Page, host: str, translator: Translator) -> None:
    page.goto(f"{host}/lab_heads.html?{urlencode({'sentence': 'I love you.'})}")
    worst = page.locator(".experiments button").first
    expect(worst).to_be_enabled()
    worst.click()
    expect(worst).to_have_attribute("aria-pressed", "true")
    settled(page)
    changes = link_text.read(asked(page)["edits"]).interventions
    assert len(changes) == 1
    assert after(page) == translator.run("I love you.", changes).translation.text


def test_bad_links_are_told_in_a_sentence(page: Page, host: str) -> None:
    page.goto(f"{host}/lab_heads.html?{urlencode({'edits': 'zero.e.99.1_nonsense_zero.e.1.1'})}")
    settled(page)
    expect(page.locator("#notes")).to_contain_text("nonsense")
    expect(page.locator("#changes .chip")).to_have_count(1)
    page.goto(f"{host}/lab_heads.html?sentence=%E2%80%8B")
    expect(page.locator("#problem")).to_contain_text("Nothing to translate")
    expect(page.locator(".outcome")).to_be_visible()


def test_every_language_has_the_page(page: Page, host: str) -> None:
    for code in list(languages())[1:]:
        page.goto(f"{host}/{code}/lab_heads.html?{urlencode({'edits': 'relu.e.3'})}")
        settled(page)
        expect(page.locator("#changes .chip")).to_contain_text("ReLU")
        expect(page.locator("#changes .chip")).not_to_contain_text("relu.e.3")


def test_masks_are_changed_and_what_leaves_nothing_to_see_is_refused(
    page: Page, host: str, translator: Translator
) -> None:
    says = {"sentence": "I love you.", "kind": "encoder", "layer": "6", "head": "1"}
    page.goto(f"{host}/lab_masks.html?{urlencode(says)}")
    settled(page)
    page.locator(".words [data-word='1']").click()
    expect(page.locator("#changes .chip")).to_contain_text("love")
    page.locator(".choices [data-value=lifted]").click()
    expect(page.locator("#changes .chip")).to_have_count(2)
    settled(page)
    changes = link_text.read(asked(page)["edits"]).interventions
    assert after(page) == translator.run("I love you.", changes).translation.text
    page.locator("#changes .reset").click()
    expect(page.locator("#changes")).to_be_hidden()
    board = page.locator(".links-board canvas")
    board.focus()
    for _key in range(len(translator.run("I love you.").source.ids)):
        board.press("Space")
        board.press("ArrowRight")
    expect(page.locator("#problem")).to_contain_text("nothing left")
    page.locator(".picker-board [data-kind=cross]").click()
    expect(page.locator(".lead-line")).to_contain_text("cross 6.1")
    assert asked(page)["kind"] == "cross"


def changed(value: float) -> str:
    """Write a change of a weight as the picture does."""
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def test_the_attention_of_a_head_is_compared_with_that_before(page: Page, host: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/lab_heads.html?{urlencode({'edits': 'zero.e.6.4'})}")
    cells = page.locator(".difference rect")
    expect(cells.first).to_be_attached(timeout=120_000)
    sentence = page.locator("#sentence").input_value()
    effect = effects.effect(sentence, (AblateHead("encoder", 5, 3),))
    moved = most_moved({kind: effect.moved(kind) for kind in KINDS})
    expect(page.locator(".difference")).to_contain_text("moved most")
    for view in (moved[0][1], moved[1][1]):
        change = effect.attention_change(view.kind)[view.layer, view.head]
        expect(cells).to_have_count(change.size)
        row, column = np.unravel_index(np.abs(change).argmax(), change.shape)
        expect(page.locator(f".difference rect[data-cell='{row} {column}'] title")).to_contain_text(
            changed(float(change[row, column]))
        )
        page.locator(".moved button").nth(1).click()
    assert asked(page)["layer"] == str(moved[1][1].layer + 1)
    expect(page.locator(".difference")).not_to_contain_text("Press a head to keep it")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.locator("#changes .reset").click()
    expect(page.locator(".difference")).to_be_hidden()


def test_more_and_more_of_the_least_important_heads_are_off(page: Page, host: str) -> None:
    page.goto(f"{host}/lab_heads.html?{urlencode({'sentence': 'I love you.'})}")
    bar = page.locator(".least input")
    expect(bar).to_be_visible(timeout=120_000)
    bar.fill("7")
    expect(page.locator("#changes .chip").first).to_be_visible()
    settled(page)
    found = effects.importance("I love you.", "zero")
    assert set(link_text.read(asked(page)["edits"]).interventions) == set(found.least(7))
    expect(bar).to_have_value("7")
    page.locator(".choices [data-value=mean]").click()
    expect(page.locator("#changes .chip").first).to_contain_text("mean output")


@pytest.mark.parametrize("name", ["lab_heads", "lab_masks"])
def test_it_can_be_embedded(page: Page, host: str, name: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 720})
    page.goto(f"{host}/{name}.html?embed=1")
    expect(page.locator("#whole")).to_be_visible()
    expect(page.locator(".outcome")).to_be_visible()
    expect(page.locator("header").first).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_each_piece_has_its_probability_before_and_after(
    page: Page, host: str, translator: Translator
) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/lab_heads.html?{urlencode({'edits': 'zero.c.1-6.1-8'})}")
    chart = page.locator(".likelihoods svg")
    expect(chart).to_be_visible(timeout=120_000)
    pieces = len(translator.translate(page.locator("#sentence").input_value()).ids) + 1
    expect(chart.locator("circle.before")).to_have_count(pieces)
    expect(chart.locator("title").first).to_contain_text("before:")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.locator("#changes .reset").click()
    expect(page.locator(".likelihoods")).to_be_hidden()
