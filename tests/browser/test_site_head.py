"""One head on the site: the chain of any sentence by numbers, for any head and query."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from model import Translator
from model.interventions import link_text
from model.sites.sites import Head
from tests.browser.static_host import PHONE, SAVES_DATA
from tests.browser.test_site_attention import SENTENCE, asked
from viz.compute import openings, runs
from viz.pages.head import numbers
from viz.pages.head.numbers import Teaching
from viz.pages.head.reading import read

LONG = (
    "The old man who lived near the river (THE LOUD ONE) told us that the boats had not come back "
    "before the storm, and that nobody knew why."
)


def answered(page: Page) -> Locator:
    """Return the chain once the model has answered."""
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible()
    return page.locator(".chain")


def weights(root: Locator) -> list[str]:
    """Return the weights beside the keys that have a row of their own."""
    return root.locator("[data-step=weights] b").all_inner_texts()


def expected(sentence: str, edits: str, head: Head, query: int, teaching: Teaching) -> list[str]:
    run = runs.run(sentence, link_text.read(edits).interventions)
    sublayer, recorded = read(run.recording, head)
    chain = numbers.chain(sublayer, recorded, head.head, query, teaching)
    return [f"{weight:.2f}" for weight in chain.weights]


def test_it_opens_on_the_recorded_head_and_fetches_nothing(page: Page, host: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script(SAVES_DATA)
    page.goto(f"{host}/head.html")
    root = page.locator(".chain")
    expect(root).to_be_visible()
    (mixing,) = openings.mixing(page.locator("#sentence").input_value())
    expect(root).to_have_attribute("data-query", str(mixing.query))
    expect(root).to_have_attribute("data-head", str(mixing.head))
    expect(page.locator(".head-picker")).to_have_attribute(
        "data-chosen", f"{mixing.kind} {mixing.layer + 1}.{mixing.head + 1}"
    )
    expect(page.locator(".finding")).to_contain_text("A head that mixes")
    assert [url for url in requests if "/model/" in url] == []


def test_any_sentence_has_its_chain_and_its_head_is_switched_off(page: Page, host: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/head.html")
    root = page.locator(".chain")
    expect(root).to_be_visible()
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    mixing = openings.mixing(SENTENCE)[0]
    expect(root).to_have_attribute("data-head", str(mixing.head))
    expect(root).to_have_attribute("data-query", str(mixing.query))
    answered(page)
    whole = expected(SENTENCE, "", mixing.place, mixing.query, Teaching())
    assert set(weights(root)[:-1]) <= set(whole)
    page.locator("[data-link=off]").click()
    expect(page.locator("#changes .chip")).to_have_count(1)
    answered(page)
    expect(page.locator("[data-link=on], [data-off=true]").first).to_be_visible()
    expect(page.locator("strong.off")).to_contain_text("switched off: the model uses z = 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.go_back()
    expect(page.locator("#changes")).to_be_hidden()
    expect(page.locator("strong.off")).to_be_empty()


def test_a_link_names_the_head_the_query_and_the_formula(page: Page, host: str) -> None:
    head, query, edits = Head("cross", 4, 2), 3, "zero.c.1.1"
    says = {"sentence": SENTENCE, "edits": edits, "kind": "cross", "layer": "5", "head": "3"}
    page.goto(f"{host}/head.html?{urlencode({**says, 'step': '4', 'temperature': '2'})}")
    root = answered(page)
    expect(root).to_have_attribute("data-query", str(query))
    shown = expected(SENTENCE, edits, head, query, Teaching(temperature=2.0))
    assert set(weights(root)) <= {*shown, *weights(root)[len(shown) :]}
    assert set(weights(root)[:3]) <= set(shown)
    expect(page.locator(".entropy")).to_contain_text("Changed by you")
    page.get_by_label("Divide by √d_k").uncheck()
    page.wait_for_url("**/*scaled=false*")
    expect(root).to_have_attribute("data-divisor", "1.00")
    page.locator(".head-picker [data-kind=decoder]").first.dispatch_event("click")
    page.wait_for_url("**/*kind=decoder*")
    answered(page)  # the row is another one now
    page.locator(".row .chip").nth(2).click()
    page.wait_for_url("**/*step=3*")
    expect(root).to_have_attribute("data-query", "2")
    assert asked(page)["edits"] == edits


def test_a_long_sentence_with_a_bracket_and_capitals_is_shown(
    page: Page, host: str, translator: Translator
) -> None:
    page.goto(f"{host}/head.html?{urlencode({'sentence': LONG})}")
    answered(page)
    pieces = len(translator.source(LONG).ids)
    (mixing,) = openings.mixing(LONG)
    expect(page.locator(".row .chip")).to_have_count(
        pieces if mixing.kind == "encoder" else len(runs.run(LONG).recording.target_ids)
    )
    expect(page.locator("#problem")).to_be_hidden()


def test_the_explorer_leads_to_the_numbers_of_its_head(page: Page, host: str) -> None:
    says = {"sentence": SENTENCE, "kind": "cross", "layer": "5", "head": "3"}
    page.goto(f"{host}/attention.html?{urlencode(says)}")
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible()
    page.locator("[data-link=numbers]").click()
    page.wait_for_url("**/head.html*")
    answered(page)
    expect(page.locator(".head-picker")).to_have_attribute("data-chosen", "cross 5.3")


def test_the_link_and_a_frame_of_the_view_are_copied(page: Page, host: str) -> None:
    page.goto(f"{host}/head.html?kind=cross&layer=5&head=3")
    answered(page)
    page.evaluate("navigator.clipboard.writeText = async (text) => void (window.copied = text)")
    page.locator("[data-share=share]").click()
    expect(page.locator("#share")).to_contain_text("Link copied")
    assert page.evaluate("copied") == page.url
    page.locator("[data-share=embed]").click()
    expect(page.locator("#share")).to_contain_text("Frame copied")
    assert "embed=1" in page.evaluate("copied")


def test_nothing_to_translate_is_said_and_the_picture_stays(page: Page, host: str) -> None:
    page.goto(f"{host}/head.html?sentence=%E2%80%8B&kind=nonsense&layer=99&temperature=-1")
    expect(page.locator("#problem")).to_contain_text("Nothing to translate")
    expect(page.locator(".chain")).to_be_visible()


@pytest.mark.parametrize("place", ["head.html", "zh/head.html"])
def test_the_formulas_are_drawn_with_the_numbers_of_the_head(
    page: Page, host: str, place: str
) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/{place}")
    expect(page.locator(".chain")).to_be_visible()
    page.locator("details summary").click()
    boxes = page.locator(".formulas section")
    expect(boxes).to_have_count(6)
    expect(boxes.first.locator("math").first).to_be_visible()
    fraction = page.locator(".formulas mfrac").first.bounding_box()
    assert fraction
    assert fraction["height"] > 30  # drawn as one: the one above the other
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
