import re

import pytest
from playwright.sync_api import Page, expect

from browser.waiting import rest

WAIT = 60_000
MINUS = "\N{MINUS SIGN}"


def test_follow_a_query_through_the_chain(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=cross&layer=2&head=3&query=3")
    chain = page.locator(".chain")
    expect(chain).to_have_attribute("data-query", "2", timeout=WAIT)
    expect(chain).to_have_attribute("data-head", "2")
    expect(chain.locator(".who .stack")).to_have_text("decoder")
    expect(chain.locator(".side .stack")).to_have_text("encoder")

    page.locator("button.chip[data-position='4']").click()
    expect(chain).to_have_attribute("data-query", "4", timeout=WAIT)
    expect(page).to_have_url(re.compile("step=5"))
    expect(page.get_by_text("Recomputed from these numbers").first).to_be_visible()
    rest(page)

    page.get_by_text("Divide by √d_k").click()
    expect(chain).to_have_attribute("data-divisor", "1.00", timeout=WAIT)
    expect(page.get_by_text("Changed by you").first).to_be_visible()
    expect(page).to_have_url(re.compile("scaled=false"))
    expect(chain.get_by_text("left out")).to_be_visible()
    rest(page)
    page.get_by_role("slider", name="Where the six links have come to").fill("2.5")
    expect(page.locator(".play-said")).to_have_text(re.compile("the scores are not divided"))


def test_a_score_under_the_pointer_shows_its_products_and_a_click_keeps_them(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/head?query=2")
    lens = page.locator(".lens")
    expect(page.locator("button.score")).to_have_count(5, timeout=WAIT)
    rest(page)
    score = page.locator("button.score").nth(3)
    key = score.get_attribute("data-key") or ""
    score.hover()
    expect(lens).to_have_attribute("data-key", key)
    expect(page.locator(".glance .bars i")).to_have_count(32)
    products = lens.locator("section").first.locator(".cell:not(.names) .product")
    expect(products).to_have_count(32)
    added = sum(float(text.replace(MINUS, "-")) for text in products.all_inner_texts())
    shown = float(score.inner_text().replace(MINUS, "-"))
    assert abs(added - shown) < 32 * 0.005 + 0.01
    score.click()
    other = page.locator("button.score").nth(1)
    other.hover()
    expect(lens).to_have_attribute("data-key", other.get_attribute("data-key") or "")
    page.mouse.move(5, 5)
    expect(lens).to_have_attribute("data-key", key)


def test_keys_of_little_weight_share_a_row_until_it_is_pressed(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=cross&layer=1&head=6&query=15")
    fold = page.locator(".fold")
    expect(fold).to_have_attribute("aria-expanded", "false", timeout=WAIT)
    rest(page)
    keys = page.locator(".comparison .chip.key")
    expect(keys).to_have_count(5)
    # A query of the decoder has one name everywhere: the piece that its step writes.
    written = page.get_by_text(re.compile("^writing ")).inner_text().removeprefix("writing ")
    expect(page.locator(".chip.query")).to_have_text(written)
    expect(page.locator(".glance-title")).to_have_text(re.compile(f"^to write {written} → "))
    expect(keys.filter(has_text=re.compile("animal|street"))).to_have_count(2)  # always among them
    shown = [float(text) for text in page.locator("[data-step=weights]").all_inner_texts()]
    folded = float(page.locator(".weight.rest").inner_text())
    assert sum(shown) + folded == pytest.approx(1, abs=0.005 * 6)
    others = int(fold.inner_text().split()[0])
    fold.focus()
    page.keyboard.press("Enter")
    expect(keys).to_have_count(5 + others)
    expect(page.locator(".weight.rest")).to_have_count(0)
    light = [float(text) for text in page.locator("[data-step=weights]").all_inner_texts()]
    assert sorted(light, reverse=True)[:3] == sorted(shown, reverse=True)[:3]
    assert page.locator("canvas.k").evaluate("node => node.height") == 5 + others
    expect(fold).to_be_focused()
    page.keyboard.press("Enter")
    expect(keys).to_have_count(5)


def test_the_whole_chain_is_in_view_on_stage(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app}/head?present=1")
    z = page.locator(".mixture small.z")
    expect(z).to_be_visible(timeout=WAIT)
    expect(page.locator(".ending canvas.out")).to_be_in_viewport(ratio=1)
    expect(z).to_be_in_viewport(ratio=1)


def test_masked_keys_are_struck_out(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=decoder&query=2")
    expect(page.locator("button.score").first).to_be_visible(timeout=WAIT)
    struck = page.locator("button.score.struck")
    expect(struck).to_have_count(3)  # with the two that it may look at, five rows
    rest(page)
    page.locator(".fold").click()
    expect(page.locator(".fold")).to_have_attribute("aria-expanded", "true")
    total = page.locator("button.score").count()
    assert total > 5
    assert struck.count() == total - 2
    decoration = struck.first.evaluate("(node) => getComputedStyle(node).textDecorationLine")
    assert decoration == "line-through"


def test_a_token_with_markup_stays_text_in_chips_and_formulas(page: Page, app: str) -> None:
    page.goto(f"{app}/head?sentence=<img src=x onerror=document.title='owned'> %24%24 }}")
    expect(page.locator("button.score").first).to_be_visible(timeout=WAIT)
    assert page.locator("img[src='x']").count() == 0
    assert page.locator(".katex-error").count() == 0
    assert page.title() != "owned"


def test_on_a_phone_the_names_of_the_chain_are_whole(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/head")
    expect(page.locator(".comparison")).to_be_visible(timeout=WAIT)
    rest(page)
    names = page.locator(".comparison :is(.title, .weights-name, .own small)")
    cut = """nodes => nodes.filter((node) => node.clientWidth)
        .filter((node) => node.scrollWidth > node.clientWidth + 1
            || node.scrollHeight > node.clientHeight + 2)
        .map((node) => `${node.className} ${node.textContent}`)"""
    assert names.evaluate_all(cut) == []
