import re
from pathlib import Path

from playwright.sync_api import Page, expect

WAIT = 60_000
MINUS = "\N{MINUS SIGN}"


def test_follow_a_query_through_the_chain(page: Page, app: str, shots: Path) -> None:
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
    page.screenshot(path=shots / "head.png", full_page=True)

    page.get_by_text("Divide by √d_k").click()
    expect(chain).to_have_attribute("data-divisor", "1.00", timeout=WAIT)
    expect(page.get_by_text("Changed by you").first).to_be_visible()
    expect(page).to_have_url(re.compile("scaled=false"))


def test_a_score_under_the_pointer_shows_its_products_and_a_click_keeps_them(
    page: Page, app: str
) -> None:
    page.goto(f"{app}/head?query=2")
    lens = page.locator(".lens")
    score = page.locator("button.score[data-key='3']")
    expect(score).to_be_visible(timeout=WAIT)
    score.hover()
    expect(lens).to_have_attribute("data-key", "3")
    expect(page.locator(".glance .bars i")).to_have_count(32)
    products = lens.locator("section").first.locator(".cell:not(.names) .product")
    expect(products).to_have_count(32)
    added = sum(float(text.replace(MINUS, "-")) for text in products.all_inner_texts())
    shown = float(score.inner_text().replace(MINUS, "-"))
    assert abs(added - shown) < 32 * 0.005 + 0.01
    score.click()
    page.locator("button.score[data-key='1']").hover()
    expect(lens).to_have_attribute("data-key", "1")
    page.mouse.move(5, 5)
    expect(lens).to_have_attribute("data-key", "3")


def test_masked_keys_are_struck_out(page: Page, app: str) -> None:
    page.goto(f"{app}/head?kind=decoder&query=2")
    expect(page.locator("button.score").first).to_be_visible(timeout=WAIT)
    struck = page.locator("button.score.struck")
    total = page.locator("button.score").count()
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
    names = page.locator(".comparison :is(.title, .weights-name, .own small)")
    cut = """nodes => nodes.filter((node) => node.clientWidth)
        .filter((node) => node.scrollWidth > node.clientWidth + 1
            || node.scrollHeight > node.clientHeight + 2)
        .map((node) => `${node.className} ${node.textContent}`)"""
    assert names.evaluate_all(cut) == []
